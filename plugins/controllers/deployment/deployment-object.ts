import type {ResourceRef} from '../../../sdk/index.js';
import type {Deployment, ReplicaSet} from '../../../sdk/types/unchecked/apps/v1.js';
import {scaledValue} from '../../families/workload-pods/scaled-value.js';

export const deployments: ResourceRef = {group: 'apps', version: 'v1', resource: 'deployments'};
export const replicaSets: ResourceRef = {group: 'apps', version: 'v1', resource: 'replicasets'};
export const appsVersion = 'apps/v1';
export const deploymentKind = 'Deployment';
export const replicaSetKind = 'ReplicaSet';

/** Stands for "no limit" in numbers that may be given as such. */
const mostInt32 = 2 ** 31 - 1;

/** How many pods a Deployment or ReplicaSet asks for. */
export function wantedReplicas({spec}: Deployment | ReplicaSet): number {
  return spec?.replicas ?? 1;
}

export function isRollingUpdate({spec}: Deployment): boolean {
  return spec?.strategy?.type !== 'Recreate';
}

/** Seconds without progress after which a rollout has failed; undefined if it may take for ever. */
export function progressDeadline({spec}: Deployment): number | undefined {
  const seconds = spec?.progressDeadlineSeconds;
  return seconds === undefined || seconds === mostInt32 ? undefined : seconds;
}

/** How many old ReplicaSets are kept; undefined for all. */
export function historyLimit({spec}: Deployment): number | undefined {
  const limit = spec?.revisionHistoryLimit;
  return limit === undefined || limit === mostInt32 ? undefined : limit;
}

/** How many pods there may be more than wanted. */
export function maxSurge(deployment: Deployment): number {
  return isRollingUpdate(deployment) ? limitsOf(deployment).surge : 0;
}

/** How many of the wanted pods may be missing. */
export function maxUnavailable(deployment: Deployment): number {
  const wanted = wantedReplicas(deployment);
  if (!isRollingUpdate(deployment) || wanted === 0) return 0;
  return Math.min(limitsOf(deployment).unavailable, wanted);
}

/** With both at 0 nothing could ever be replaced: then one pod may be missing. */
function limitsOf(deployment: Deployment): {surge: number; unavailable: number} {
  const {maxSurge: more = 0, maxUnavailable: less = 0} = deployment.spec?.strategy?.rollingUpdate ?? {};
  const wanted = wantedReplicas(deployment);
  const surge = scaledValue(more, wanted) ?? 0;
  const unavailable = scaledValue(less, wanted, 'down') ?? 0;
  return {surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable};
}
