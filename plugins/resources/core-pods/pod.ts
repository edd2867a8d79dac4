import type {ApiObject, ResourceRef} from '../../../sdk/index.js';
import type {PodSpec} from '../../shared/pod/pod-types.js';

export const pods: ResourceRef = {group: '', version: 'v1', resource: 'pods'};

/** A pod as far as its behaviour looks at it. */
export interface Pod extends ApiObject {
  spec?: PodSpec;
  status?: PodStatus;
}

export interface PodStatus {
  phase?: string;
  qosClass?: string;
  reason?: string;
  nominatedNodeName?: string;
  podIP?: string;
  podIPs?: {ip?: string}[];
  conditions?: PodCondition[];
  initContainerStatuses?: ContainerStatus[];
  containerStatuses?: ContainerStatus[];
  ephemeralContainerStatuses?: ContainerStatus[];
}

export interface PodCondition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string | null;
}

export interface ContainerStatus {
  name?: string;
  ready?: boolean;
  restartCount?: number;
  state?: ContainerState;
  lastState?: ContainerState;
}

export interface ContainerState {
  waiting?: {reason?: string};
  running?: object;
  terminated?: {exitCode?: number; signal?: number; reason?: string; finishedAt?: string | null};
}

export function isConditionTrue(pod: Pod, type: string): boolean {
  return pod.status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;
}

/** Whether a pod has come to its end and will not run again. */
export function isFinished({status}: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}
