import type {ApiObject, JsonObject, JsonValue} from '../../../sdk/index.js';
import {setMember} from '../../api/json/set-member.js';
import {cloneJson} from '../../api/json/clone-json.js';

/**
 * Restores the stored value of a path (`status`, `metadata.ownerReferences`) in an object, or removes the member if none is stored. Used
 * for fields that an endpoint does not let clients set.
 */
export function restorePath(object: ApiObject, stored: ApiObject | undefined, path: string): void {
  const members = path.split('.');
  const last = members.pop()!;
  let target = object as unknown as JsonObject;
  let source = stored as unknown as JsonObject | undefined;
  for (const member of members) {
    source = child(source, member);
    let next = child(target, member);
    if (!next) {
      if (!source || source[last] === undefined) return;
      next = {};
      setMember(target, member, next);
    }
    target = next;
  }
  const value = source && Object.hasOwn(source, last) ? source[last] : undefined;
  if (value === undefined) delete target[last];
  else setMember(target, last, cloneJson(value));
}

/** Takes only the given paths from `object`; everything else comes from `stored`. Metadata that the server sets is kept. */
export function keepOnlyPaths(object: ApiObject, stored: ApiObject, paths: readonly string[]): ApiObject {
  const result = cloneJson(stored);
  for (const path of paths) restorePath(result, object, path);
  return result;
}

function child(object: JsonObject | undefined, member: string): JsonObject | undefined {
  if (!object || !Object.hasOwn(object, member)) return undefined;
  const value: JsonValue | undefined = object[member];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}
