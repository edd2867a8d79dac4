import {invalid, required, tooLong, tooMany, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {isGiven, validateNonNegative} from '../../../sdk/validation/index.js';
import type {JobSpec, SuccessPolicyRule} from '../../../sdk/types/unchecked/batch/v1.js';
import {countIndexes, indexesFault} from './index-intervals.js';

const maximumRules = 20;
/** In bytes. */
const maximumIndexes = 64 * 1024;

/** Errors in which indexes of a job have to succeed. */
export function validateSuccessPolicy({completionMode, completions, successPolicy}: JobSpec, path: FieldPath): FieldError[] {
  if (completionMode !== 'Indexed') return [invalid(path, successPolicy, 'requires indexed completion mode')];
  const rules = successPolicy?.rules ?? [];
  const at = path.child('rules');
  const faults: FieldError[] = [];
  if (rules.length === 0) faults.push(required(at, 'at least one rules must be specified when the successPolicy is specified'));
  if (rules.length > maximumRules) faults.push(tooMany(at, rules.length, maximumRules));
  return [...faults, ...rules.flatMap((rule, index) => validateRule(rule, completions ?? 0, at.index(index)))];
}

function validateRule(
  {succeededCount: count, succeededIndexes: indexes}: SuccessPolicyRule,
  completions: number,
  path: FieldPath,
): FieldError[] {
  const at = path.child('succeededCount');
  const faults: FieldError[] = [];
  if (!isGiven(count) && !isGiven(indexes))
    faults.push(required(path, 'at least one of succeededCount or succeededIndexes must be specified'));
  if (isGiven(indexes)) {
    const place = path.child('succeededIndexes');
    if (Buffer.byteLength(indexes) > maximumIndexes) faults.push(tooLong(place, maximumIndexes));
    const fault = indexesFault(indexes, completions);
    if (fault !== undefined) faults.push(invalid(place, indexes, `error parsing succeededIndexes: ${fault}`));
  }
  if (!isGiven(count)) return faults;
  faults.push(...validateNonNegative(count, at));
  const limit = (maximum: number, what: string) => invalid(at, count, `must be less than or equal to ${maximum} (the number of ${what})`);
  if (count > completions) faults.push(limit(completions, 'specified completions'));
  const total = isGiven(indexes) ? countIndexes(indexes, completions) : Infinity;
  return count > total ? [...faults, limit(total, 'indexes in the specified succeededIndexes field')] : faults;
}
