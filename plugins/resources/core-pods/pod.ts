import type {ResourceRef} from '../../../sdk/index.js';
import type {Pod} from '../../../sdk/types/unchecked/core/v1.js';

export const pods: ResourceRef = {group: '', version: 'v1', resource: 'pods'};

export function isConditionTrue(pod: Pod, type: string): boolean {
  return pod.status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;
}

/** Whether a pod has finished and will not run again. */
export function isFinished({status}: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}
