import type {JsonObject, JsonValue} from '../../../sdk/index.js';
import {cloneJson} from '../json/clone-json.js';
import {getMember} from '../json/get-member.js';
import {isJsonObject} from '../json/is-json-object.js';
import {setMember} from '../json/set-member.js';

/**
 * Applies a JSON merge patch (RFC 7386): members replace, null removes, lists are replaced as a whole. Neither argument is modified, and
 * the result shares nothing with them.
 */
export function applyMergePatch(target: JsonValue, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return cloneJson(patch);
  return mergeInto(isJsonObject(target) ? cloneJson(target) : {}, patch);
}

/** The same for objects. Modifies and returns `target`, which belongs to the caller. */
export function mergeInto(target: JsonObject, patch: JsonObject): JsonObject {
  for (const key in patch) {
    const change = patch[key];
    if (change === undefined) continue;
    if (change === null) {
      delete target[key];
    } else if (isJsonObject(change)) {
      const current = getMember(target, key);
      // A new member is merged into an empty object, which drops the nulls inside it.
      const next = mergeInto(isJsonObject(current) ? current : {}, change);
      if (next !== current) setMember(target, key, next);
    } else {
      setMember(target, key, cloneJson(change));
    }
  }
  return target;
}
