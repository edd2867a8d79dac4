import type {Unchecked} from '../../../sdk/index.js';
import type * as core from '../../../sdk/types/core/v1.js';
import type {Pod} from '../../../sdk/types/unchecked/core/v1.js';

/** Whether a pod is being deleted. */
export function isTerminating({metadata}: Pod): boolean {
  return Boolean(metadata.deletionTimestamp);
}

/** Whether a pod is running and ready. */
export function isRunningAndReady(pod: Pod): boolean {
  return pod.status?.phase === 'Running' && hasReadyCondition(pod);
}

/** Whether a pod has the condition Ready. */
export function hasReadyCondition(pod: Pod): boolean {
  return readyCondition(pod)?.status === 'True';
}

/**
 * Milliseconds until a ready pod has been ready for `minReadySeconds`: 0 if it is available, Infinity if it is not ready or has no
 * transition time.
 */
export function millisUntilAvailable(pod: Pod, minReadySeconds: number, now: number): number {
  if (!isRunningAndReady(pod)) return Infinity;
  if (minReadySeconds === 0) return 0;
  const since = Date.parse(readyCondition(pod)?.lastTransitionTime ?? '');
  return Number.isNaN(since) ? Infinity : Math.max(since + minReadySeconds * 1000 - now, 0);
}

function readyCondition({status}: Pod): Unchecked<core.PodCondition> | undefined {
  return status?.conditions?.find(({type}) => type === 'Ready');
}
