import {duplicate, FieldPath, required, type FieldError} from '../../../sdk/index.js';
import type {FlowSchemaStatus} from '../../../sdk/types/unchecked/flowcontrol.apiserver/v1beta3.js';

const conditionsPath = FieldPath.of('status', 'conditions');

/** Errors in the conditions of a status: each needs a type, and types are unique. */
export function conditionFaults({conditions}: FlowSchemaStatus = {}): FieldError[] {
  const seen = new Set<string>();
  return (conditions ?? []).flatMap(({type = ''}, index) => {
    const path = conditionsPath.index(index).child('type');
    const faults = seen.has(type) ? [duplicate(path, type)] : [];
    seen.add(type);
    if (type === '') faults.push(required(path, 'must not be empty'));
    return faults;
  });
}
