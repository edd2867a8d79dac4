import type {Job} from '../../../sdk/types/unchecked/batch/v1.js';
import {Indexes} from './indexes.js';
import type {Kept} from './job-pod.js';
import {limitPerIndex, replacesOnlyFailed, type JobFeatures} from './job-object.js';

type Spec = NonNullable<Job['spec']>;

/** What a Job's policy says about a failed pod. */
export interface Failure {
  readonly counts: boolean;
  readonly action?: 'Ignore' | 'FailIndex' | 'Count' | 'FailJob';
  /** Why the whole Job has failed. */
  readonly message?: string;
}

/** Whether a pod counts as failed: one that terminates does too, unless only failed pods are replaced. */
export function hasFailed({isDeleted, summary}: Kept, job: Job, features: JobFeatures): boolean {
  if (summary.status === 'Failed') return true;
  return !replacesOnlyFailed(job, features) && isDeleted && summary.status !== 'Succeeded';
}

/** The first rule that matches decides. */
export function failureOf(policy: Spec['podFailurePolicy'], pod: Kept, features: JobFeatures): Failure {
  for (const [index, {action = '', onExitCodes, onPodConditions}] of (policy?.rules ?? []).entries()) {
    const exit = onExitCodes && pod.summary.exits.find(({container, code}) => matchesExit(onExitCodes, container, code));
    const condition =
      !onExitCodes &&
      pod.summary.conditions.find(({type, status}) =>
        onPodConditions?.some((pattern) => pattern.type === type && (pattern.status ?? 'True') === status),
      );
    if (!exit && !condition) continue;
    if (action === 'Ignore') return {counts: false, action};
    if (action === 'Count') return {counts: true, action};
    if (action === 'FailIndex' && features.limitPerIndex) return {counts: true, action};
    if (action !== 'FailJob') continue;
    const name = `${pod.namespace}/${pod.name}`;
    const what = exit
      ? `Container ${exit.container} for pod ${name} failed with exit code ${exit.code}`
      : `Pod ${name} has condition ${condition ? condition.type : ''}`;
    return {counts: true, action, message: `${what} matching FailJob rule at index ${index}`};
  }
  return {counts: true};
}

type ExitRule = NonNullable<NonNullable<NonNullable<Spec['podFailurePolicy']>['rules']>[number]['onExitCodes']>;

function matchesExit({containerName, operator, values}: ExitRule, container: string, code: number): boolean {
  if (containerName !== undefined && containerName !== container) return false;
  const isListed = (values ?? []).some((value) => Number(value) === code);
  return operator === 'In' ? isListed : operator === 'NotIn' && !isListed;
}

/** Whether the index of a failed pod has used up its failures. */
export function failsIndex(pod: Kept, job: Job, features: JobFeatures): boolean {
  if (!hasFailed(pod, job, features)) return false;
  const {counts, action} = failureOf(job.spec?.podFailurePolicy, pod, features);
  return action === 'FailIndex' || (counts && pod.summary.failureCount >= (limitPerIndex(job, features) ?? Infinity));
}

/** Why a Job has succeeded before all its indexes have; undefined if it has not. */
export function successOf({spec}: Job, succeeded: Indexes, features: JobFeatures): string | undefined {
  if (!features.successPolicy || succeeded.size === 0) return undefined;
  for (const [index, {succeededIndexes, succeededCount}] of (spec?.successPolicy?.rules ?? []).entries()) {
    const least = succeededCount ?? Infinity;
    const wanted = succeededIndexes === undefined ? undefined : Indexes.parse(succeededIndexes, spec?.completions ?? 0);
    if (wanted && wanted.size === 0) continue;
    const count = wanted ? succeeded.countIn(wanted) : succeeded.size;
    if (count >= least || (wanted && count === wanted.size)) return `Matched rules at index ${index}`;
  }
  return undefined;
}
