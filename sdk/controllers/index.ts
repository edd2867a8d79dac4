/** `orch/sdk/controllers`: what controllers are made of: following objects, a queue of keys to work on, and times at which something is due. */
export {DueTimes, systemClock, type Clock} from './due-times.js';
export {followObjects, type FollowOptions, type ObjectFollower} from './follow-objects.js';
export {queueMetrics} from './queue-figures.js';
export {WorkQueue, type WorkQueueOptions, type WorkResult} from './work-queue.js';
