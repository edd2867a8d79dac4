import {FieldPath, invalid, type FieldError} from '../../../../sdk/index.js';
import type {ScaleSubresource} from '../custom-resource-definition.js';

const largestReplicas = 2 ** 31 - 1;

/** Errors in what `scale` reads of the spec (Kubernetes' `ValidateScaleSpec`). Missing fields are allowed. */
export function scaleSpecFaults(object: object, {specReplicasPath}: ScaleSubresource): FieldError[] {
  return replicasFaults(object, specReplicasPath);
}

/** Errors in what `scale` reads of the status (Kubernetes' `ValidateScaleStatus`). */
export function scaleStatusFaults(object: object, {statusReplicasPath, labelSelectorPath}: ScaleSubresource): FieldError[] {
  return [...replicasFaults(object, statusReplicasPath), ...(labelSelectorPath ? selectorFaults(object, labelSelectorPath) : [])];
}

function replicasFaults(object: object, jsonPath: string): FieldError[] {
  const path = FieldPath.of(jsonPath);
  const found = valueAt(object, jsonPath);
  if (found === undefined) return [];
  if ('fault' in found) return [invalid(path, 0, found.fault)];
  const {value} = found;
  if (typeof value !== 'bigint' && !Number.isInteger(value)) return [invalid(path, 0, accessorFault(jsonPath, value, 'int64'))];
  if ((value as number | bigint) < 0) return [invalid(path, value, 'should be a non-negative integer')];
  return (value as number | bigint) > largestReplicas ? [invalid(path, value, `should be less than or equal to ${largestReplicas}`)] : [];
}

function selectorFaults(object: object, jsonPath: string): FieldError[] {
  const found = valueAt(object, jsonPath);
  if (found === undefined || ('value' in found && typeof found.value === 'string')) return [];
  return [invalid(FieldPath.of(jsonPath), '', 'fault' in found ? found.fault : accessorFault(jsonPath, found.value, 'string'))];
}

/** What is at a path, or why nothing can be; undefined where nothing is. */
function valueAt(object: object, jsonPath: string): {readonly value: unknown} | {readonly fault: string} | undefined {
  let value: unknown = object;
  let at = '';
  for (const name of jsonPath.slice(1).split('.')) {
    if (value === null) return undefined;
    if (typeof value !== 'object' || Array.isArray(value)) return {fault: accessorFault(at, value, 'map[string]interface{}')};
    if (!Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
    at += `.${name}`;
  }
  return {value};
}

function accessorFault(jsonPath: string, value: unknown, expected: string): string {
  return `${jsonPath} accessor error: ${goText(value)} is of the type ${goType(value)}, expected ${expected}`;
}

/** The name of the type that Go gives to a JSON value. */
function goType(value: unknown): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' ? 'string' : typeof value === 'bigint' || Number.isInteger(value) ? 'int64' : 'float64';
}

/** How Go prints a JSON value. Members are in the order of their names. */
function goText(value: unknown): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (typeof value !== 'object') return String(value);
  const members = Object.entries(value as object).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${members.map(([name, member]) => `${name}:${goText(member)}`).join(' ')}]`;
}
