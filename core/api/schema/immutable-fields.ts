import {invalid, type FieldError, type JsonObject, type JsonValue} from '../../../sdk/index.js';
import {equalJson} from '../../../sdk/values/equal-json.js';
import {isJsonObject} from '../json/is-json-object.js';
import type {SchemaNode} from './schema-node.js';
import {maximumDepth, WalkPath} from './walk-path.js';

const marked = new WeakMap<SchemaNode, ReadonlyMap<string, SchemaNode>>();

/**
 * The errors of an update that changes, adds or removes a field marked `x-orch-immutable`. Lists are not searched, because their items have
 * no identity there.
 */
export function immutableFaults(node: SchemaNode, object: JsonObject, old: JsonObject): FieldError[] {
  const faults: FieldError[] = [];
  compare(node, object, old, new WalkPath(), faults);
  return faults;
}

function compare(node: SchemaNode, object: JsonObject, old: JsonObject, path: WalkPath, faults: FieldError[]): void {
  if (path.depth >= maximumDepth) return;
  for (const [name, child] of candidatesOf(node)) {
    const value = own(object, name);
    const before = own(old, name);
    if (child.immutable) {
      if (!equalJson(value ?? null, before ?? null)) faults.push(invalid(path.fieldPath(name), value ?? null, 'field is immutable'));
    } else if (isJsonObject(value) && isJsonObject(before)) {
      path.push(name);
      compare(child, value, before, path, faults);
      path.pop();
    }
  }
}

/** Members that are immutable themselves, and objects that may contain immutable fields. */
function candidatesOf(node: SchemaNode): ReadonlyMap<string, SchemaNode> {
  let candidates = marked.get(node);
  if (!candidates) {
    candidates = new Map(
      [...node.properties].filter(([, child]) => child.immutable || (child.type === 'object' && child.properties.size > 0)),
    );
    marked.set(node, candidates);
  }
  return candidates;
}

function own(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
