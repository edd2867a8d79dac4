import {invalid, required, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {isGiven} from '../../../sdk/validation/index.js';
import type {JobSpec} from '../../../sdk/types/unchecked/batch/v1.js';

/** What keeps the lists of indexes in a job's status short. */
const limits = {failedIndexes: 100_000, manyCompletions: 100_000, parallelismOfMany: 10_000, failedIndexesOfMany: 10_000};

/** Errors in how often each index of a job may fail, and how many of them. */
export function validateIndexLimits(spec: JobSpec, path: FieldPath): FieldError[] {
  const {backoffLimitPerIndex, maxFailedIndexes, completionMode} = spec;
  const faults: FieldError[] = [];
  if (isGiven(maxFailedIndexes) && !isGiven(backoffLimitPerIndex))
    faults.push(required(path.child('backoffLimitPerIndex'), 'when maxFailedIndexes is specified'));
  if (completionMode === 'Indexed') return [...faults, ...indexedFaults(spec, path)];
  if (isGiven(completionMode) && completionMode !== 'NonIndexed') return faults;
  const members = {backoffLimitPerIndex, maxFailedIndexes};
  const misplaced = Object.entries(members).filter(([, value]) => isGiven(value));
  return [...faults, ...misplaced.map(([member, value]) => invalid(path.child(member), value, 'requires indexed completion mode'))];
}

function indexedFaults({backoffLimitPerIndex, maxFailedIndexes: failed, completions, parallelism}: JobSpec, path: FieldPath): FieldError[] {
  const at = path.child('maxFailedIndexes');
  const faults: FieldError[] = [];
  if (isGiven(failed) && isGiven(completions) && failed > completions)
    faults.push(invalid(at, failed, 'must be less than or equal to completions'));
  if (isGiven(failed) && failed > limits.failedIndexes)
    faults.push(invalid(at, failed, `must be less than or equal to ${limits.failedIndexes}`));
  if ((completions ?? 0) <= limits.manyCompletions || !isGiven(backoffLimitPerIndex)) return faults;
  const why = `when completions are above ${limits.manyCompletions} and used with backoff limit per index`;
  if (!isGiven(failed)) faults.push(required(at, `must be specified when completions is above ${limits.manyCompletions}`));
  if ((parallelism ?? 0) > limits.parallelismOfMany)
    faults.push(invalid(path.child('parallelism'), parallelism, `must be less than or equal to ${limits.parallelismOfMany} ${why}`));
  if (isGiven(failed) && failed > limits.failedIndexesOfMany)
    faults.push(invalid(at, failed, `must be less than or equal to ${limits.failedIndexesOfMany} ${why}`));
  return faults;
}
