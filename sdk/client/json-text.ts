import type {JsonValue} from '../objects/api-object.js';

/** `JSON.rawJSON` and the third argument of a reviver, which the library types of this language level lack. */
const nativeJson = JSON as unknown as {
  rawJSON(text: string): unknown;
  parse(text: string, reviver: (key: string, value: unknown, context: {source?: string}) => unknown): unknown;
};

/** Integers up to 2^53 have at most sixteen digits; only longer runs need the slow way. */
const longNumber = /\d{16}/;
const integerLiteral = /^-?\d+$/;

/** Reads JSON. Integers beyond 2^53 become bigint. @throws SyntaxError */
export function parseJson(text: string): JsonValue {
  if (!longNumber.test(text)) return JSON.parse(text) as JsonValue;
  return nativeJson.parse(text, (_key, value, {source}) => {
    if (typeof value !== 'number' || source === undefined || Number.isSafeInteger(value) || !integerLiteral.test(source)) return value;
    return BigInt(source);
  }) as JsonValue;
}

/** Writes JSON; bigint as the integer it is. Members that are undefined are left out. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // A bigint is a TypeError for JSON.stringify. Any other cause shows again.
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, (_key, member: unknown) => (typeof member === 'bigint' ? nativeJson.rawJSON(member.toString()) : member));
  }
}
