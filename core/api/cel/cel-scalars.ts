import type {JsonValue} from '../../../sdk/index.js';
import type {SchemaNode} from '../schema/schema-node.js';
import {durationOf} from './functions/conversions.js';
import {quantityOf} from './functions/quantities.js';

const timestamp = 'google.protobuf.Timestamp';
const duration = 'google.protobuf.Duration';
const textTypes: Readonly<Record<string, string>> = {byte: 'bytes', date: timestamp, 'date-time': timestamp, duration};

/** The CEL type of a place that contains a scalar; undefined if nothing is known about its values. */
export function scalarType(node: SchemaNode): string | undefined {
  switch (node.type) {
    case 'string':
      return (node.format !== undefined && Object.hasOwn(textTypes, node.format) ? textTypes[node.format] : undefined) ?? 'string';
    case 'integer':
      return 'int';
    case 'number':
      return 'double';
    case 'boolean':
      return 'bool';
    case 'int-or-string':
      return 'dyn';
    default:
      return undefined;
  }
}

/** A string, number or boolean as expressions see it. */
export function celScalar(node: SchemaNode, value: JsonValue): unknown {
  if (typeof value === 'string' && node.schema['x-orch-expression-type'] === 'kubernetes.Quantity') return quantityOf(value);
  if (typeof value === 'string') return node.type === 'string' ? celText(node, value) : value;
  if (typeof value === 'number' || typeof value === 'bigint') {
    if (node.type === 'number') return Number(value);
    return Number.isInteger(value) || typeof value === 'bigint' ? BigInt(value) : value;
  }
  return value;
}

function celText(node: SchemaNode, text: string): unknown {
  switch (scalarType(node)) {
    case 'bytes':
      return Buffer.from(text, 'base64');
    case timestamp:
      return new Date(text);
    case duration:
      return durationOf(text);
    default:
      return text;
  }
}
