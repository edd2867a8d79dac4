import type {JsonValue} from '../objects/api-object.js';

/** `JSON.rawJSON` and the third argument of a reviver, which the library types of this language level lack. */
const nativeJson = JSON as unknown as {
  rawJSON(text: string): unknown;
  parse(text: string, reviver: (key: string, value: unknown, context: {source?: string}) => unknown): unknown;
};

/** Integers up to 2^53 have at most sixteen digits, finite numbers short exponents; only the others need the slow way. */
const unusualNumber = /\d{16}|[eE]\+?\d{3}/;
const integerLiteral = /^-?\d+$/;

/** Reads JSON. Integers beyond 2^53 become bigint. @throws SyntaxError, also for a number that no finite double is near to */
export function parseJson(text: string): JsonValue {
  if (!unusualNumber.test(text)) return JSON.parse(text) as JsonValue;
  return nativeJson.parse(text, (_key, value, {source}) => {
    if (typeof value !== 'number' || source === undefined || Number.isSafeInteger(value)) return value;
    if (integerLiteral.test(source)) return BigInt(source);
    if (!Number.isFinite(value)) throw new SyntaxError(`number out of range: ${source.length > 40 ? `${source.slice(0, 40)}…` : source}`);
    return value;
  }) as JsonValue;
}

/** Writes JSON; a bigint as an integer. Undefined members are omitted. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // A bigint is a TypeError for JSON.stringify. Any other cause shows again.
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, (_key, member: unknown) => (typeof member === 'bigint' ? nativeJson.rawJSON(member.toString()) : member));
  }
}
