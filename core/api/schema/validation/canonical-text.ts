import type {JsonObject, JsonValue} from '../../../../sdk/index.js';
import {encodeJson} from '../../codec/json.js';
import {setMember} from '../../json/set-member.js';

/** A string that two values share if and only if they are equal: members sorted, `1` and `1n` alike. */
export function canonicalText(value: JsonValue): string {
  return typeof value === 'object' && value !== null ? encodeJson(sorted(value)) : encodeJson(value);
}

function sorted(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const result: JsonObject = {};
  for (const name of Object.keys(value).sort()) if (value[name] !== undefined) setMember(result, name, sorted(value[name]));
  return result;
}
