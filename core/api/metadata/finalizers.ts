import {forbiddenField, invalid, typeInvalid, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {qualifiedNameFaults} from './name-formats.js';

/** Finalizer of a deletion that leaves dependents behind. */
export const orphanFinalizer = 'orphan';
/** Finalizer of a deletion that waits for dependents to be gone. */
export const foregroundFinalizer = 'foregroundDeletion';

/** Qualified names; the two that decide about dependents not together. */
export function validateFinalizers(finalizers: unknown, path: FieldPath): FieldError[] {
  if (finalizers === undefined || finalizers === null) return [];
  if (!Array.isArray(finalizers)) return [typeInvalid(path, finalizers, 'must be an array')];

  const faults: FieldError[] = [];
  for (const [position, finalizer] of finalizers.entries()) {
    if (typeof finalizer !== 'string') faults.push(typeInvalid(path.index(position), finalizer, 'must be a string'));
    else faults.push(...qualifiedNameFaults(finalizer).map((fault) => invalid(path, finalizer, fault)));
  }
  if (finalizers.includes(orphanFinalizer) && finalizers.includes(foregroundFinalizer)) {
    faults.push(invalid(path, finalizers, `finalizer ${orphanFinalizer} and ${foregroundFinalizer} cannot be both set`));
  }
  return faults;
}

/** Once an object is being deleted its finalizers can only be removed or put in another order. */
export function validateNoNewFinalizers(finalizers: readonly string[], old: readonly string[], path: FieldPath): FieldError[] {
  const added = [...new Set(finalizers)].filter((finalizer) => !old.includes(finalizer)).sort();
  if (added.length === 0) return [];
  const list = added.map((finalizer) => JSON.stringify(finalizer)).join(', ');
  const problem = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`;
  return [forbiddenField(path, problem)];
}
