import {FieldPath, type FieldError, type JsonObject, type JsonValue} from '../../../../sdk/index.js';
import {isJsonObject} from '../../json/is-json-object.js';
import type {SchemaNode} from '../schema-node.js';
import {wrongType} from './type-faults.js';

/** A report contains at most this many errors. */
const faultLimit = 100;

/**
 * The nulls of a configuration that stand where a structural schema has something else: other bodies lose them before they are judged, but what is applied
 * is judged as it was sent. Where there is a default that is taken. Empty for built-in types.
 */
export function nullFaults(node: SchemaNode, config: JsonObject): FieldError[] {
  const faults: FieldError[] = [];
  if (!node.kubernetesSemantics) check(node, config, FieldPath.root, faults);
  return faults;
}

function check(node: SchemaNode, value: JsonValue | undefined, path: FieldPath, faults: FieldError[]): void {
  if (value === undefined || faults.length >= faultLimit) return;
  if (value === null) {
    if (!node.nullable && node.default === undefined && node.type !== 'any')
      faults.push(wrongType(path, value, node.type === 'int-or-string' ? 'integer,string' : node.type));
  } else if (Array.isArray(value)) {
    if (node.items) for (const [position, item] of value.entries()) check(node.items, item, path.index(position), faults);
  } else if (isJsonObject(value)) {
    for (const [name, one] of Object.entries(value)) {
      const member = node.member(name);
      // Metadata is of a type of its own.
      if (member && !member.kubernetesSemantics) check(member, one, path.child(name), faults);
    }
  }
}
