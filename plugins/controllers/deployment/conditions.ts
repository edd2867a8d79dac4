import {secondTime} from '../../../sdk/index.js';
import type {DeploymentCondition, DeploymentStatus} from '../../../sdk/types/unchecked/apps/v1.js';

export type ConditionType = 'Available' | 'Progressing' | 'ReplicaFailure';

/** Reasons of the condition Progressing. */
export const progress = {
  updated: 'ReplicaSetUpdated',
  createFailed: 'ReplicaSetCreateError',
  created: 'NewReplicaSetCreated',
  found: 'FoundNewReplicaSet',
  available: 'NewReplicaSetAvailable',
  timedOut: 'ProgressDeadlineExceeded',
  paused: 'DeploymentPaused',
  resumed: 'DeploymentResumed',
} as const;

/** @param now in milliseconds since 1970 */
export function newCondition(
  type: ConditionType,
  status: 'True' | 'False' | 'Unknown',
  reason: string,
  message: string,
  now: number,
): DeploymentCondition {
  const time = secondTime(now);
  return {type, status, lastUpdateTime: time, lastTransitionTime: time, reason, message};
}

export function conditionOf(status: DeploymentStatus | undefined, wanted: ConditionType): DeploymentCondition | undefined {
  return status?.conditions?.find(({type}) => type === wanted);
}

/** Sets a condition unless one of the same status and reason is there. Changes `status`. */
export function setCondition(status: DeploymentStatus, condition: DeploymentCondition): void {
  const {type, reason} = condition;
  const before = conditionOf(status, type as ConditionType);
  const same = before?.status === condition.status ? before : undefined;
  if (same && same.reason === reason) return;
  removeCondition(status, type as ConditionType);
  const {lastTransitionTime} = same ?? condition;
  status.conditions = [...(status.conditions ?? []), {...condition, ...(lastTransitionTime ? {lastTransitionTime} : {})}];
}

/** Changes `status`. */
export function removeCondition(status: DeploymentStatus, unwanted: ConditionType): void {
  const others = (status.conditions ?? []).filter(({type}) => type !== unwanted);
  if (others.length > 0) status.conditions = others;
  else delete status.conditions;
}
