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

/**
 * Checks a value against the type and the format of a node's rules; undefined if they allow it. As in Kubernetes, lists and strings in place of a
 * value with a format are not judged by its type.
 */
export function typeFaultOf(node: SchemaNode, {types, formatName}: ValueRules, value: JsonValue): TypeFault | undefined {
  const isOfTypes = types !== undefined && isOfType(node.type, value);
  if (formatName !== undefined) {
    const isText = typeof value === 'string' || Array.isArray(value);
    const actual = actualType(value);
    const form = actual === 'integer' ? 'int64' : actual === 'number' ? 'float64' : '';
    if (!isText && !isOfTypes && form !== formatName) return {actual: form, expected: formatName};
    if (isText && !numeric.has(node.type)) return undefined;
  }
  return types === undefined || isOfTypes ? undefined : {actual: actualType(value), expected: types};
}

const numeric: ReadonlySet<NodeType> = new Set<NodeType>(['integer', 'number', 'int-or-string']);

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
