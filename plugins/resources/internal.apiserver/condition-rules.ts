import {invalid, qualifiedNameFaults, required, type FieldError, type FieldPath} from '../../../sdk/index.js';
import type {StorageVersionCondition} from '../../../sdk/types/unchecked/internal.apiserver/v1alpha1.js';

/** Errors in the conditions of a storage version. Types and statuses are open: any qualified name is valid. */
export function storageConditionFaults(conditions: readonly StorageVersionCondition[], path: FieldPath): FieldError[] {
  const seen = new Map<string, number>();
  return conditions.flatMap(({type = '', status = '', reason, message}, index) => {
    const at = path.index(index);
    const faults: FieldError[] = [];
    const first = seen.get(type);
    if (first === undefined) seen.set(type, index);
    else faults.push(invalid(at.child('type'), type, `the type of the condition is not unique, it also appears in conditions[${first}]`));
    faults.push(...qualifiedNameFaults(type).map((detail) => invalid(at.child('type'), type, detail)));
    faults.push(...qualifiedNameFaults(status).map((detail) => invalid(at.child('status'), status, detail)));
    if (!reason) faults.push(required(at.child('reason'), 'reason cannot be empty'));
    if (!message) faults.push(required(at.child('message'), 'message cannot be empty'));
    return faults;
  });
}
