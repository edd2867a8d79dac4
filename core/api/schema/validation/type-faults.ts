import {typeInvalid, type FieldError, type FieldPath, type JsonValue} from '../../../../sdk/index.js';
import {fitsIntegerFormat, jsonTypeOf} from '../json-type.js';
import type {NodeType, SchemaNode} from '../schema-node.js';
import type {ValueRules} from './value-rules.js';

export interface TypeFault {
  readonly actual: string;
  readonly expected: string;
}

/** The error for a value whose JSON type differs from that of the schema, in Kubernetes' words. */
export function wrongType(path: FieldPath, value: unknown, expected: string): FieldError {
  const fault = {actual: actualType(value), expected};
  return typeInvalid(path, fault.actual, typeFaultText(path.toString(), fault));
}

/** Checks a value against `types` of a node's rules; undefined if its type is valid. */
export function typeFaultOf(node: SchemaNode, {types, format}: ValueRules, value: JsonValue): TypeFault | undefined {
  if (types === undefined) {
    if (!format || typeof value === 'string' || Array.isArray(value)) return undefined;
  } else if (isOfType(node.type, value)) return undefined;
  // For numbers and for values with a format, Kubernetes names the format rather than the type.
  if (format && !Array.isArray(value)) {
    const actual = actualType(value);
    return {actual: actual === 'integer' ? 'int64' : actual === 'number' ? 'float64' : '', expected: node.format as string};
  }
  return {actual: actualType(value), expected: types as string};
}

export function typeFaultText(path: string, {actual, expected}: TypeFault): string {
  return `${path} in body must be of type ${expected}: ${JSON.stringify(actual)}`;
}

function isOfType(type: NodeType, value: JsonValue): boolean {
  switch (type) {
    case 'any':
      return true;
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint';
    case 'int-or-string':
      return typeof value === 'string' || actualType(value) === 'integer';
    default:
      return actualType(value) === type;
  }
}

/** An integer beyond 64 bits is reported as another kind of number, as in Kubernetes. */
function actualType(value: unknown): string {
  const type = jsonTypeOf(value);
  return type === 'integer' && !fitsIntegerFormat(value as number | bigint, 'int64') ? 'number' : type;
}
