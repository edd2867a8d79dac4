import type {JsonValue} from '../../../sdk/index.js';
import type {SchemaNode} from './schema-node.js';

/**
 * The zero value for a place where a typed object must have a value: a list item, a map value, a field that is always written (Kubernetes'
 * zero values).
 */
export function zeroOf(node: SchemaNode): JsonValue {
  switch (node.type) {
    case 'string':
      return node.form === 'time' || node.form === 'micro-time' ? null : node.form === 'quantity' ? '0' : '';
    case 'integer':
    case 'number':
    case 'int-or-string':
      return 0;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'object':
      return {};
    case 'any':
      return null;
  }
}

/** Whether a field of a typed object is written as null if it has no value. */
export function writesNullWhenEmpty(node: SchemaNode): boolean {
  if (node.presence === 'explicit-null') return true;
  if (node.presence !== 'always') return false;
  return (
    node.type === 'array' ||
    node.type === 'any' ||
    isMap(node) ||
    node.form === 'time' ||
    node.form === 'micro-time' ||
    node.form === 'bytes'
  );
}

/** Whether a value counts as absent in a field that is left out if empty. A structure never does. */
export function isEmptyValue(node: SchemaNode, value: JsonValue): boolean {
  switch (node.type) {
    case 'string':
      return value === '';
    case 'integer':
    case 'number':
      return value === 0 || value === 0n;
    case 'boolean':
      return value === false;
    case 'array':
      return Array.isArray(value) && value.length === 0;
    case 'object':
      return isMap(node) && typeof value === 'object' && value !== null && Object.keys(value).length === 0;
    default:
      return false;
  }
}

/** Whether an object has arbitrary keys only. */
function isMap(node: SchemaNode): boolean {
  return node.type === 'object' && node.additional !== undefined;
}
