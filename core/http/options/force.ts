import {FieldPath, forbiddenField, required, type FieldError} from '../../../sdk/index.js';

/** Whether a patch is forced. Any value but `0` and `false` says so. */
export function readForce(query: URLSearchParams): boolean {
  const given = query.get('force');
  return given !== null && given !== '0' && given.toLowerCase() !== 'false';
}

/**
 * `force` and `fieldManager` of a patch together: an apply must name its manager, and nothing but an apply may be forced
 * (docs/semantics/writes.md#parameters).
 */
export function forceFaults(query: URLSearchParams, isApply: boolean): FieldError[] {
  if (isApply) return query.get('fieldManager') ? [] : [required(FieldPath.of('fieldManager'), 'is required for apply patch')];
  return query.has('force') ? [forbiddenField(FieldPath.of('force'), 'may not be specified for non-apply patch')] : [];
}
