import type {JsonValue} from '../objects/api-object.js';

/** `JSON.rawJSON` and the third argument of a reviver, which the library types of this language level lack. */
const nativeJson = JSON as unknown as {
  rawJSON(text: string): unknown;
  parse(text: string, reviver: (key: string, value: unknown, context: {source?: string}) => unknown): unknown;
};

/** Integers up to 2^53 have at most sixteen digits, finite numbers short exponents; only other numbers need the slow path. */
const unusualNumber = /\d{16}|[eE]\+?\d{3}/;
const integerLiteral = /^-?\d+$/;

/** Parses JSON. Integers beyond 2^53 become bigint. @throws SyntaxError, also for a number beyond the range of a double */
export function parseJson(text: string): JsonValue {
  return unusualNumber.test(text) ? parseExactJson(text) : (JSON.parse(text) as JsonValue);
}

/** `parseJson` without the shortcut for texts that contain no unusual number. */
export function parseExactJson(text: string): JsonValue {
  return nativeJson.parse(text, (_key, value, {source}) => {
    if (typeof value !== 'number' || source === undefined || Number.isSafeInteger(value)) return value;
    if (!Number.isFinite(value)) throw new SyntaxError(`number out of range: ${source.length > 40 ? `${source.slice(0, 40)}…` : source}`);
    return integerLiteral.test(source) ? BigInt(source) : value;
  }) as JsonValue;
}

/** Writes JSON; a bigint as an integer. Undefined members are omitted. @param indentation blanks per level; without it everything is on one line */
export function jsonText(value: unknown, indentation?: number): string {
  try {
    return JSON.stringify(value, undefined, indentation);
  } catch (error) {
    // JSON.stringify throws a TypeError for a bigint. If it has another cause, it is thrown again below.
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, rawBigint, indentation);
  }
}

function rawBigint(_key: string, member: unknown): unknown {
  return typeof member === 'bigint' ? nativeJson.rawJSON(member.toString()) : member;
}
