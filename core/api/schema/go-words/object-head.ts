import type {JsonObject, JsonValue} from '../../../../sdk/index.js';

/** The struct into which Go reads the version and kind of a body, as its decoder names it. */
export const headStruct = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;

/** The version or kind of a body: Go finds them in any case, though not the other members of an object. */
export function headOf(body: JsonObject, member: 'apiVersion' | 'kind'): JsonValue | undefined {
  const name = Object.keys(body).findLast((key) => key.toLowerCase() === member.toLowerCase());
  return name === undefined ? undefined : body[name];
}
