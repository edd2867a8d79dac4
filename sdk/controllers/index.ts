/** `orch/sdk/controllers`: what controllers are made of: following objects, and a queue of keys to work on. */
export {followObjects, type FollowOptions, type ObjectFollower} from './follow-objects.js';
export {WorkQueue, type WorkQueueOptions, type WorkResult} from './work-queue.js';
