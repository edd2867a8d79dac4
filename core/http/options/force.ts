import {FieldPath, forbiddenField, invalidObject, required, type FieldError, type NamingProfile} from '../../../sdk/index.js';
import type {Exchange} from '../request/exchange.js';

/**
 * Reads `force` of a patch, and checks it together with `fieldManager`: an apply must name its manager, and nothing but an apply
 * may be forced (docs/semantics/writes.md#parameters).
 *
 * @throws 422 where that does not hold
 */
export function readForce({query}: Exchange, isApply: boolean, naming: NamingProfile): boolean {
  const given = query.get('force');
  const faults: FieldError[] = [];
  if (isApply && !query.get('fieldManager')) faults.push(required(FieldPath.of('fieldManager'), 'is required for apply patch'));
  if (!isApply && given !== null) faults.push(forbiddenField(FieldPath.of('force'), 'may not be specified for non-apply patch'));
  if (faults.length > 0) throw invalidObject({group: naming.group('meta.orch'), kind: 'PatchOptions'}, '', faults);
  return given !== null && given !== '0' && given.toLowerCase() !== 'false';
}
