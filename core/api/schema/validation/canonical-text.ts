import type {JsonObject, JsonValue} from '../../../../sdk/index.js';
import {encodeJson} from '../../codec/json.js';
import {setMember} from '../../json/set-member.js';

/** A string that two values share if and only if they are equal: members sorted, `1` and `1n` alike. */
export function canonicalText(value: JsonValue): string {
  return typeof value === 'object' && value !== null ? encodeJson(inOrderOfNames(value)) : encodeJson(value);
}

/** A copy whose members are in the order of their names, at every depth. */
export function inOrderOfNames(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(inOrderOfNames);
  const result: JsonObject = {};
  for (const name of Object.keys(value).sort()) if (value[name] !== undefined) setMember(result, name, inOrderOfNames(value[name]));
  return result;
}
