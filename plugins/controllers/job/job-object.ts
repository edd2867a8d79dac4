import {secondTime, type FeatureGates, type NamingProfile, type ResourceRef} from '../../../sdk/index.js';
import type {Job, JobCondition, JobStatus} from '../../../sdk/types/unchecked/batch/v1.js';

export const jobs: ResourceRef = {group: 'batch', version: 'v1', resource: 'jobs'};
export const batchVersion = 'batch/v1';
export const jobKind = 'Job';

/** Which features of Jobs are on. */
export interface JobFeatures {
  readonly replacementPolicy: boolean;
  readonly managedBy: boolean;
  readonly successPolicy: boolean;
  readonly limitPerIndex: boolean;
  readonly mutableDirectives: boolean;
  /** A Job that has ended says so only when no pod is terminating any more. */
  readonly delaysEnd: boolean;
}

export function jobFeatures(gates: FeatureGates): JobFeatures {
  const replacementPolicy = gates.enabled('JobPodReplacementPolicy');
  const managedBy = gates.enabled('JobManagedBy');
  return {
    replacementPolicy,
    managedBy,
    successPolicy: gates.enabled('JobSuccessPolicy'),
    limitPerIndex: gates.enabled('JobBackoffLimitPerIndex'),
    mutableDirectives: gates.enabled('MutableSchedulingDirectivesForSuspendedJobs'),
    delaysEnd: replacementPolicy || managedBy,
  };
}

/** The labels, annotations and finalizers of pods of Jobs, by the platform's names. */
export interface JobKeys {
  readonly finalizer: string;
  readonly index: string;
  readonly failureCount: string;
  readonly ignoredCount: string;
  /** The value of `managedBy` that stands for this controller. */
  readonly manager: string;
}

export function jobKeys(naming: NamingProfile): JobKeys {
  return {
    finalizer: naming.key('batch.orch/job-tracking'),
    index: naming.key('batch.orch/job-completion-index'),
    failureCount: naming.key('batch.orch/job-index-failure-count'),
    ignoredCount: naming.key('batch.orch/job-index-ignored-failure-count'),
    manager: naming.key('orch/job-controller'),
  };
}

export function isIndexed({spec}: Job): boolean {
  return spec?.completionMode === 'Indexed';
}

export function isSuspended({spec}: Job): boolean {
  return spec?.suspend === true;
}

/** How many pods must succeed; undefined if one is enough. */
export function completionsOf({spec}: Job): number | undefined {
  return spec?.completions ?? undefined;
}

/** How many failures each index may have; undefined if they are counted together. */
export function limitPerIndex({spec}: Job, features: JobFeatures): number | undefined {
  return features.limitPerIndex ? (spec?.backoffLimitPerIndex ?? undefined) : undefined;
}

/** Whether pods are replaced only once they have failed, and not when they begin to terminate. */
export function replacesOnlyFailed({spec}: Job, features: JobFeatures): boolean {
  return (features.replacementPolicy && spec?.podReplacementPolicy === 'Failed') || Boolean(spec?.podFailurePolicy);
}

export function countsTerminating({spec}: Job, features: JobFeatures): boolean {
  return features.delaysEnd || Boolean(spec?.podFailurePolicy);
}

export function jobCondition(status: JobStatus | undefined, type: string): JobCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

export function isFinished({status}: Job): boolean {
  return ['Complete', 'Failed'].some((type) => jobCondition(status, type)?.status === 'True');
}

/** @param now in milliseconds since 1970 */
export function newJobCondition(type: string, status: 'True' | 'False', reason: string, message: string, now: number): JobCondition {
  const time = secondTime(now);
  const why = {...(reason === '' ? {} : {reason}), ...(message === '' ? {} : {message})};
  return {type, status, lastProbeTime: time, lastTransitionTime: time, ...why};
}

/** Sets a condition; one that is false is not added. Changes `status`. Answers whether there is a change. */
export function setJobCondition(status: JobStatus, wanted: JobCondition): boolean {
  const conditions = status.conditions ?? [];
  const before = conditions.find(({type}) => type === wanted.type);
  if (!before && wanted.status === 'False') return false;
  if (before?.status === wanted.status && before?.reason === wanted.reason && before?.message === wanted.message) return false;
  status.conditions = before ? conditions.map((each) => (each === before ? wanted : each)) : [...conditions, wanted];
  return true;
}
