import {typeInvalid, type FieldError, type FieldPath, type JsonValue} from '../../../../sdk/index.js';
import {fitsIntegerFormat, jsonTypeOf} from '../json-type.js';
import type {NodeType, SchemaNode} from '../schema-node.js';
import type {ValueRules} from './value-rules.js';

/** What is wrong with the type of a value. */
export interface TypeFault {
  readonly actual: string;
  readonly expected: string;
}

/** The fault of a value whose JSON type is not the one of the schema, in the words of Kubernetes. */
export function wrongType(path: FieldPath, value: unknown, expected: string): FieldError {
  const fault = {actual: actualType(value), expected};
  return typeInvalid(path, fault.actual, typeFaultText(path.toString(), fault));
}

/** What `types` of a node's rules says of a value; undefined when its type is a good one. */
export function typeFaultOf(node: SchemaNode, {types, format}: ValueRules, value: JsonValue): TypeFault | undefined {
  if (types === undefined) {
    if (!format || typeof value === 'string' || Array.isArray(value)) return undefined;
  } else if (isOfType(node.type, value)) return undefined;
  // Kubernetes names the format rather than the type where there is one, and the formats of numbers.
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

/** An integer beyond 64 bits is read as a number of another kind, as in Kubernetes. */
function actualType(value: unknown): string {
  const type = jsonTypeOf(value);
  return type === 'integer' && !fitsIntegerFormat(value as number | bigint, 'int64') ? 'number' : type;
}
