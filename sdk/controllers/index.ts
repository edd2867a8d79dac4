/**
 * `@orch-api/orch/sdk/controllers`: the parts of controllers: following objects, a queue of keys, the loop that joins the two, and times at which
 * something is due.
 */
export {CacheInformer, type CacheInformerOptions} from './cache-informer.js';
export type {ObjectEvent} from './event-forms.js';
export {EventRecorder, type EventRecorderOptions} from './event-recorder.js';
export {followCache} from './follow-cache.js';
export {TokenBucket} from './token-bucket.js';
export type {Clock} from '../contracts/clock.js';
export {systemClock} from '../values/system-clock.js';
export {DueTimes} from './due-times.js';
export {followObjects, type FollowOptions, type ObjectFollower, type ObjectSource} from './follow-objects.js';
export {queueMetrics} from './queue-figures.js';
export {LeaderElector, type ElectionTimes, type Fencing, type LeaderElectorOptions} from './leader-election/leader-elector.js';
export type {LeaderTerm} from './leader-election/leader-term.js';
export {changedFinalizers, controllerReference, withCondition, type Condition} from './object-helpers.js';
export {objectKey, splitObjectKey} from './object-keys.js';
export {Reconciler, type ControllerParts, type FollowedType, type ReconcilerOptions} from './reconciler.js';
export {done, WorkQueue, type WorkQueueOptions, type WorkResult} from './work-queue.js';
export {objectsOf, type TypedDeleteOptions, type TypedObjects, type TypedSubresource} from './typed-objects.js';
