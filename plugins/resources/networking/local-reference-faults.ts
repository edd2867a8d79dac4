import {dnsSubdomainFaults, invalid, required, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {isGiven, pathSegmentFaults} from '../../../sdk/validation/index.js';
import type {TypedLocalObjectReference} from '../../../sdk/types/unchecked/core/v1.js';

/** Errors in a reference to an object in the same namespace. */
export function validateLocalReference({apiGroup, kind = '', name = ''}: TypedLocalObjectReference, path: FieldPath): FieldError[] {
  const faults: FieldError[] = [];
  if (isGiven(apiGroup)) faults.push(...dnsSubdomainFaults(apiGroup).map((detail) => invalid(path.child('apiGroup'), apiGroup, detail)));
  return [
    ...faults,
    ...segmentFaults(kind, path.child('kind'), 'kind is required'),
    ...segmentFaults(name, path.child('name'), 'name is required'),
  ];
}

function segmentFaults(text: string, path: FieldPath, requiredDetail: string): FieldError[] {
  if (text === '') return [required(path, requiredDetail)];
  return pathSegmentFaults(text).map((detail) => invalid(path, text, detail));
}
