import {secondTime} from '../../../sdk/index.js';
import {labelsMatch} from '../../../sdk/labels/index.js';
import type {KeptPod} from '../workload-pods/controlled-pods.js';
import type {ReplicaCondition, ReplicaCounts, ReplicaSetLike} from './replica-kind.js';
import type {ReplicaPod} from './replica-pod.js';

type Pod = KeptPod<ReplicaPod>;

const failure = 'ReplicaFailure';

export interface StatusInput {
  readonly set: ReplicaSetLike;
  readonly active: readonly Pod[];
  /** Undefined where they are not counted. */
  readonly terminating: number | undefined;
  /** Why pods could not be made or deleted. */
  readonly error: unknown;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/** The status of a set whose pods are these. */
export function replicaStatus({set, active, terminating, error, now}: StatusInput): ReplicaCounts {
  const {minReadySeconds = 0, template} = set.spec ?? {};
  const templateLabels = (template?.metadata?.labels ?? {}) as Record<string, string>;
  const ready = active.filter(({summary}) => summary.isReady);
  const counts = {
    fullyLabeledReplicas: active.filter(({labels}) => labelsMatch(templateLabels, labels)).length,
    readyReplicas: ready.length,
    availableReplicas: ready.filter((pod) => millisUntilAvailable(pod, minReadySeconds, now) === 0).length,
  };
  const conditions = withFailure(set, active.length, error, now);
  return {
    replicas: active.length,
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
    ...(terminating === undefined ? {} : {terminatingReplicas: terminating}),
    ...(conditions.length > 0 ? {conditions} : {}),
  };
}

/** Milliseconds until a ready pod counts as available; Infinity if it does not say since when it is ready. */
function millisUntilAvailable({summary: {readySince}}: Pod, minReadySeconds: number, now: number): number {
  if (minReadySeconds === 0) return 0;
  return readySince === 0 ? Infinity : Math.max(readySince + minReadySeconds * 1000 - now, 0);
}

/** Milliseconds until the next pod becomes available without any change; undefined if there is none. */
export function nextAvailability(active: readonly Pod[], minReadySeconds: number, now: number): number | undefined {
  const waits = active
    .filter(({summary}) => summary.isReady)
    .map((pod) => millisUntilAvailable(pod, minReadySeconds, now))
    .filter((millis) => millis > 0 && millis < Infinity);
  return waits.length === 0 ? undefined : Math.min(...waits);
}

function withFailure({spec, status}: ReplicaSetLike, active: number, error: unknown, now: number): ReplicaCondition[] {
  const conditions = [...(status?.conditions ?? [])];
  const isThere = conditions.some(({type}) => type === failure);
  if (error === undefined) return isThere ? conditions.filter(({type}) => type !== failure) : conditions;
  if (isThere) return conditions;
  const reason = active < (spec?.replicas ?? 1) ? 'FailedCreate' : 'FailedDelete';
  const lastTransitionTime = secondTime(now);
  return [...conditions, {type: failure, status: 'True', lastTransitionTime, reason, message: (error as Error).message}];
}
