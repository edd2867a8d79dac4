import {duplicate, FieldPath, invalid, required, type FeatureGates, type FieldError} from '../../../sdk/index.js';
import {isGiven, sameValue, validateNonNegativeMembers} from '../../../sdk/validation/index.js';
import type {Job, JobStatus} from '../../../sdk/types/unchecked/batch/v1.js';
import {indexesFault, sharedIndex} from './index-intervals.js';

const statusPath = FieldPath.of('status');
const conditionsPath = statusPath.child('conditions');

/** Errors in a job's status. Others than the job controller may write it (`managedBy`), so that its conditions must agree then. */
export function validateJobStatus(job: Job, old: Job, gates: FeatureGates): FieldError[] {
  return [
    ...countFaults(job.status),
    ...(gates.enabled('JobManagedBy')
      ? [...endFaults(job, old), ...timeFaults(job, old), ...indexFaults(job, old), ...keptFaults(job, old)]
      : []),
    ...criteriaFaults(job, old),
  ];
}

function countFaults(status: JobStatus | undefined): FieldError[] {
  const faults = validateNonNegativeMembers(status, ['active', 'succeeded', 'failed', 'ready', 'terminating'], statusPath);
  const seen = new Set<string>();
  for (const member of ['succeeded', 'failed'] as const) {
    for (const [index, uid] of (status?.uncountedTerminatedPods?.[member] ?? []).entries()) {
      const path = statusPath.child('uncountedTerminatedPods', member).index(index);
      if (uid === '') faults.push(invalid(path, uid, 'must not be empty'));
      else if (seen.has(uid)) faults.push(duplicate(path, uid));
      seen.add(uid);
    }
  }
  return faults;
}

/** An error about conditions, without repeating them. */
function disagreement(detail: string): FieldError {
  return {reason: 'FieldValueInvalid', field: conditionsPath.toString(), body: `Invalid value: ${detail}`};
}

function isTrue({status}: Job, type: string): boolean {
  return status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;
}

function isFinished(job: Job): boolean {
  return isTrue(job, 'Complete') || isTrue(job, 'Failed');
}

/** Whether one of these has changed: what was wrong before may stay until then. */
function changes(job: Job, old: Job, types: readonly string[], members: readonly (keyof JobStatus)[] = []): boolean {
  return (
    types.some((type) => isTrue(job, type) !== isTrue(old, type)) ||
    members.some((member) => !sameValue(job.status?.[member], old.status?.[member]))
  );
}

const ends = ['Complete', 'Failed'];

/** How a job ends: in one way, decided before, and with no pods left. */
function endFaults(job: Job, old: Job): FieldError[] {
  const {active = 0, startTime, terminating, ready, uncountedTerminatedPods: uncounted} = job.status ?? {};
  const faults: FieldError[] = [];
  const [complete, failed] = [isTrue(job, 'Complete'), isTrue(job, 'Failed')];
  const [failureTarget, criteriaMet] = [isTrue(job, 'FailureTarget'), isTrue(job, 'SuccessCriteriaMet')];
  if (complete && failed && changes(job, old, ends)) faults.push(disagreement('cannot set Complete=True and Failed=true conditions'));
  if (complete && failureTarget && changes(job, old, ['Complete', 'FailureTarget']))
    faults.push(disagreement('cannot set Complete=True and FailureTarget=true conditions'));
  if (failed && !failureTarget && changes(job, old, ['Failed'], ['failedIndexes']))
    faults.push(disagreement('cannot set Failed=True condition without the FailureTarget=true condition'));
  if (complete && !criteriaMet && changes(job, old, ['Complete', 'SuccessCriteriaMet']))
    faults.push(disagreement('cannot set Complete=True condition without the SuccessCriteriaMet=true condition'));
  if (isGiven(ready) && ready > active && changes(job, old, [], ['ready', 'active']))
    faults.push(invalid(statusPath.child('ready'), ready, 'cannot set more ready pods than active'));
  if (!isFinished(job)) return faults;
  const hasChanged = (member: keyof JobStatus) => isFinished(job) !== isFinished(old) || changes(job, old, [], [member]);
  if (active > 0 && hasChanged('active')) faults.push(invalid(statusPath.child('active'), active, 'active>0 is invalid for finished job'));
  const neverStarts = job.spec?.suspend === true && job.spec.completions === 0;
  if (!startTime && !neverStarts && hasChanged('startTime'))
    faults.push(required(statusPath.child('startTime'), 'startTime is required for finished job'));
  if ((uncounted?.failed?.length ?? 0) + (uncounted?.succeeded?.length ?? 0) > 0 && hasChanged('uncountedTerminatedPods'))
    faults.push(invalid(statusPath.child('uncountedTerminatedPods'), uncounted, 'must be empty for finished job'));
  if ((terminating ?? 0) > 0 && hasChanged('terminating'))
    faults.push(invalid(statusPath.child('terminating'), terminating, 'terminating>0 is invalid for finished job'));
  return faults;
}

function timeFaults(job: Job, old: Job): FieldError[] {
  const {startTime, completionTime} = job.status ?? {};
  const at = statusPath.child('completionTime');
  const isComplete = isTrue(job, 'Complete');
  const faults: FieldError[] = [];
  if (changes(job, old, ['Complete'], ['completionTime'])) {
    if (completionTime && !isComplete)
      faults.push(invalid(at, completionTime, 'cannot set completionTime when there is no Complete=True condition'));
    if (!completionTime && isComplete) faults.push(required(at, 'completionTime is required for Complete jobs'));
  }
  if (
    startTime &&
    completionTime &&
    Date.parse(completionTime) < Date.parse(startTime) &&
    changes(job, old, [], ['startTime', 'completionTime'])
  )
    faults.push(invalid(at, completionTime, 'must be equal to or after `startTime`'));
  const {completionTime: before, startTime: startBefore} = old.status ?? {};
  if (completionTime && before && completionTime !== before) faults.push(invalid(at, completionTime, 'field is immutable'));
  const resumes = isTrue(old, 'Suspended') && job.status?.conditions?.some(({type, status}) => type === 'Suspended' && status === 'False');
  if (startBefore && startBefore !== startTime && !job.spec?.suspend && !resumes)
    faults.push(invalid(statusPath.child('startTime'), startTime ?? null, 'field is immutable for unsuspended job once set'));
  return faults;
}

function indexFaults(job: Job, old: Job): FieldError[] {
  const {completions, completionMode, backoffLimitPerIndex} = job.spec ?? {};
  const {completedIndexes: completed = '', failedIndexes: failed} = job.status ?? {};
  const [completedPath, failedPath] = [statusPath.child('completedIndexes'), statusPath.child('failedIndexes')];
  const faults: FieldError[] = [];
  const [completedChanges, failedChanges] = [changes(job, old, [], ['completedIndexes']), changes(job, old, [], ['failedIndexes'])];
  if (completedChanges) {
    const fault = isGiven(completions) ? indexesFault(completed, completions) : undefined;
    if (fault !== undefined) faults.push(invalid(completedPath, completed, `error parsing completedIndexes: ${fault}`));
    if (completed !== '' && completionMode !== 'Indexed')
      faults.push(invalid(completedPath, completed, 'cannot set non-empty completedIndexes when non-indexed completion mode'));
  }
  if (!isGiven(failed)) return faults;
  if (failedChanges) {
    const fault = isGiven(completions) && isGiven(backoffLimitPerIndex) ? indexesFault(failed, completions) : undefined;
    if (fault !== undefined) faults.push(invalid(failedPath, failed, `error parsing failedIndexes: ${fault}`));
    if (!isGiven(backoffLimitPerIndex))
      faults.push(invalid(failedPath, failed, 'cannot set non-null failedIndexes when backoffLimitPerIndex is null'));
  }
  if (!isGiven(completions) || !(completedChanges || failedChanges)) return faults;
  const shared = sharedIndex(completed, failed, completions);
  if (shared !== undefined) faults.push(invalid(failedPath, failed, `failedIndexes and completedIndexes overlap at index: ${shared}`));
  return faults;
}

/** What stays once it is true, and counts that do not fall. */
function keptFaults(job: Job, old: Job): FieldError[] {
  const lost = ['Failed', 'Complete', 'FailureTarget'].filter((type) => isTrue(old, type) && !isTrue(job, type));
  const faults = lost.map((type) => disagreement(`cannot disable the terminal ${type}=True condition`));
  const {completionMode, completions, parallelism} = job.spec ?? {};
  const isElastic = completionMode === 'Indexed' && completions === parallelism;
  for (const member of isElastic ? (['failed'] as const) : (['failed', 'succeeded'] as const)) {
    const count = job.status?.[member] ?? 0;
    if (count < (old.status?.[member] ?? 0)) faults.push(invalid(statusPath.child(member), count, `cannot decrease the ${member} counter`));
  }
  return faults;
}

/** The condition `SuccessCriteriaMet` decides that a job succeeds. */
function criteriaFaults(job: Job, old: Job): FieldError[] {
  const isMet = isTrue(job, 'SuccessCriteriaMet');
  const texts: string[] = [];
  if (isMet && isTrue(job, 'Failed')) texts.push('cannot set SuccessCriteriaMet=True and Failed=true conditions');
  if (isMet && isTrue(job, 'FailureTarget')) texts.push('cannot set SuccessCriteriaMet=True and FailureTarget=true conditions');
  if (job.spec?.successPolicy && !isMet && isTrue(job, 'Complete'))
    texts.push('cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True');
  if (isTrue(old, 'SuccessCriteriaMet') && !isMet) texts.push('cannot disable the SuccessCriteriaMet=True condition');
  if (isTrue(old, 'Complete') && !isTrue(old, 'SuccessCriteriaMet') && isMet)
    texts.push('cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions');
  return texts.map(disagreement);
}
