import type {JsonObject} from '../../../../sdk/index.js';
import {setMember} from '../../json/set-member.js';
import type {SchemaNode} from '../../schema/schema-node.js';
import {maximumDepth} from '../../schema/walk-path.js';
import {writesNullWhenEmpty, zeroOf} from '../../schema/zero-value.js';

const known = new WeakMap<SchemaNode, JsonObject>();

/**
 * An object of a type in which nothing is set, with which Kubernetes compares a new object. Fields that are always written have their zero
 * values, so that nobody owns a structure that every object has. Shared: must not be modified.
 */
export function zeroObject(node: SchemaNode): JsonObject {
  let object = known.get(node);
  if (!object) known.set(node, (object = zeroStructure(node, 0)));
  return object;
}

function zeroStructure(node: SchemaNode, depth: number): JsonObject {
  const object: JsonObject = {};
  if (depth > maximumDepth) return object;
  for (const [name, child] of node.properties) {
    if (writesNullWhenEmpty(child)) setMember(object, name, null);
    else if (child.presence === 'always')
      setMember(object, name, child.type === 'object' ? zeroStructure(child, depth + 1) : zeroOf(child));
  }
  return object;
}
