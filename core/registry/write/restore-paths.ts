import type {ApiObject, JsonObject, JsonValue} from '../../../sdk/index.js';
import {isJsonObject} from '../../api/json/is-json-object.js';
import {setMember} from '../../api/json/set-member.js';
import {cloneJson} from '../../api/json/clone-json.js';

/**
 * Restores the stored value of a path (`status`, `metadata.ownerReferences`) in an object, or removes the member if none is stored. Used
 * for fields that an endpoint does not let clients set. `*` stands for every item of a list; a list whose items are others is restored as a whole.
 */
export function restorePath(object: ApiObject, stored: ApiObject | undefined, path: string): void {
  restoreMember(object as unknown as JsonObject, stored as unknown as JsonObject | undefined, path.split('.'));
}

function restoreMember(target: JsonObject, source: JsonObject | undefined, [member, ...below]: readonly string[]): void {
  const value = child(source, member!);
  if (below.length === 0) {
    setOrDelete(target, member!, value);
  } else if (below[0] === '*') {
    const pairs = samePairs(child(target, member!), value);
    if (pairs) for (const [item, stored] of pairs) restoreMember(item, stored, below.slice(1));
    else setOrDelete(target, member!, value);
  } else {
    const from = isJsonObject(value) ? value : undefined;
    let next = child(target, member!);
    if (!isJsonObject(next)) {
      if (!from || from[below[0]!] === undefined) return;
      next = {};
      setMember(target, member!, next);
    }
    restoreMember(next as JsonObject, from, below);
  }
}

function setOrDelete(target: JsonObject, member: string, value: JsonValue | undefined): void {
  if (value === undefined) delete target[member];
  else setMember(target, member, cloneJson(value));
}

/** The items of two lists side by side; undefined unless all of them are objects, and have the same names in the same order. */
function samePairs(left: JsonValue | undefined, right: JsonValue | undefined): [JsonObject, JsonObject][] | undefined {
  if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return undefined;
  const pairs = left.map((item, index) => [item, right[index]] as [JsonObject, JsonObject]);
  return pairs.every(([a, b]) => isJsonObject(a) && isJsonObject(b) && a['name'] === b['name']) ? pairs : undefined;
}

/** Takes only the given paths from `object`; everything else comes from `stored`. Metadata that the server sets is kept. */
export function keepOnlyPaths(object: ApiObject, stored: ApiObject, paths: readonly string[]): ApiObject {
  const result = cloneJson(stored);
  for (const path of paths) restorePath(result, object, path);
  return result;
}

function child(object: JsonObject | undefined, member: string): JsonValue | undefined {
  return object && Object.hasOwn(object, member) ? object[member] : undefined;
}
