import {CooperativeScheduler, type Task} from '../../sdk/index.js';

/** A task that has the event loop for itself. */
export function testTask(): Task {
  return new CooperativeScheduler().task('request', 'test');
}
