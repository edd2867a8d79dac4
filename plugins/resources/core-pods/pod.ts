import type {ResourceRef, Unchecked} from '../../../sdk/index.js';
import type * as core from '../../../sdk/types/core/v1.js';

export type Pod = Unchecked<core.Pod>;
export type PodStatus = Unchecked<core.PodStatus>;
export type PodCondition = Unchecked<core.PodCondition>;
export type ContainerStatus = Unchecked<core.ContainerStatus>;
export type ContainerState = Unchecked<core.ContainerState>;

export const pods: ResourceRef = {group: '', version: 'v1', resource: 'pods'};

export function isConditionTrue(pod: Pod, type: string): boolean {
  return pod.status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;
}

/** Whether a pod has finished and will not run again. */
export function isFinished({status}: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}
