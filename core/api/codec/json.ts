import {isUtf8} from 'node:buffer';
import {StatusError, type JsonValue} from '../../../sdk/index.js';
import {DecodeError, positionAt} from './decode-error.js';
import {outlineJson} from './json-outline.js';
import {scanJson} from './json-scanner.js';

/** A decoded body. */
export interface Decoded {
  readonly value: JsonValue;
  /** Paths of members that stand more than once (`metadata.labels.a`, `spec.containers[0].name`); empty unless asked for. */
  readonly duplicates: string[];
}

export interface DecodeOptions {
  /** Look for duplicate members; costs a second pass over the text where there are some. */
  readonly duplicates?: boolean;
  /** A body with more values (texts, numbers, lists, objects, …) is refused. */
  readonly maximumValues?: number;
}

/** Deepest nesting of objects and lists that a body may have. All that walks decoded values may recurse so far. */
export const maximumDepth = 1000;

const integerLiteral = /^-?[0-9]+$/;

/** Half of a surrogate pair can only come from an escape: the text itself is valid UTF-8. */
const surrogateEscape = /\\u[dD][89a-fA-F]/;

/** `JSON.rawJSON` and the third argument of a reviver, which the library types of this language level lack. */
const nativeJson = JSON as unknown as {
  rawJSON(text: string): unknown;
  parse(text: string, reviver: (key: string, value: unknown, context: {source?: string}) => unknown): unknown;
};

/**
 * Reads a JSON body. Of duplicate members the last one counts. Integers beyond 2^53 become bigint. An escape that is half of a surrogate pair
 * becomes U+FFFD, as in Go: it has no UTF-8.
 *
 * @throws StatusError 413 for more values than are allowed
 * @throws DecodeError for anything that is not one JSON value in UTF-8 without a byte order mark, is nested deeper than
 *   `maximumDepth`, or holds a number that no finite double is near to
 */
export function decodeJson(bytes: Buffer, options: DecodeOptions = {}): Decoded {
  if (bytes.length === 0) throw new DecodeError('JSON', 'the body is empty');
  if (!isUtf8(bytes)) throw new DecodeError('JSON', 'the body is not valid UTF-8');
  const outline = outlineJson(bytes, maximumDepth);
  if (outline.tooDeep) throw new DecodeError('JSON', `the body is nested deeper than ${maximumDepth} levels`);
  if (outline.values > (options.maximumValues ?? Number.POSITIVE_INFINITY)) throw tooManyValues(options.maximumValues!);

  const text = bytes.toString('utf8');
  const parsed = outline.hasLongNumbers ? parseExactly(text) : parse(text);
  const value = surrogateEscape.test(text) ? wellFormed(parsed) : parsed;
  if (outline.hasExponents && !outline.hasLongNumbers && hasInfinity(value)) parseExactly(text);
  // Every member takes one colon, so that fewer members than colons means duplicates, and most bodies need no second pass.
  const duplicates = options.duplicates === true && countMembers(value) < outline.colons ? scanJson(text).duplicates : [];
  return {value, duplicates};
}

/** 413: a body takes time by its values rather than by its bytes. */
export function tooManyValues(maximum: number): StatusError {
  return new StatusError(
    413,
    'RequestEntityTooLarge',
    `the body has more than ${maximum} values (texts, numbers, lists, objects and the like)`,
  );
}

/** Whether a number in a value was too large for a double. The depth is bounded already. */
function hasInfinity(value: JsonValue | undefined): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'number' && !Number.isFinite(value);
  return Array.isArray(value) ? value.some(hasInfinity) : Object.values(value).some(hasInfinity);
}

/** Names and texts without halves of surrogate pairs. The depth is bounded already. */
function wellFormed(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(wellFormed);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name.toWellFormed(), wellFormed(member!)]));
}

/** Members of all objects in a value. The depth is bounded already. */
function countMembers(value: JsonValue | undefined): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countMembers(item);
  } else {
    for (const key in value) count += 1 + countMembers(value[key]);
  }
  return count;
}

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    const {fault} = scanJson(text);
    if (fault === undefined) throw new DecodeError('JSON', (error as Error).message);
    throw new DecodeError('JSON', fault.problem, positionAt(text, fault.offset));
  }
}

function parseExactly(text: string): JsonValue {
  // Faults are reported by the plain parser; the reviver then sees valid text only.
  parse(text);
  return nativeJson.parse(text, (_key, value, {source}) => {
    if (typeof value !== 'number' || source === undefined) return value;
    if (!Number.isFinite(value))
      throw new DecodeError('JSON', `number out of range: ${source.length > 40 ? `${source.slice(0, 40)}…` : source}`);
    return Number.isSafeInteger(value) || !integerLiteral.test(source) ? value : BigInt(source);
  }) as JsonValue;
}

/** Writes a value as JSON without blanks; bigint as the integer it is. Members that are undefined are left out. */
export function encodeJson(value: unknown): string {
  return stringify(value);
}

/** Writes a value as JSON for human readers: two spaces a level and a final newline, as kube-apiserver does for `pretty`. */
export function encodePretty(value: unknown): string {
  return `${stringify(value, 2)}\n`;
}

function stringify(value: unknown, indentation?: number): string {
  try {
    return JSON.stringify(value, undefined, indentation);
  } catch (error) {
    // A bigint is a TypeError for JSON.stringify. Any other cause shows again.
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, rawBigint, indentation);
  }
}

function rawBigint(_key: string, member: unknown): unknown {
  return typeof member === 'bigint' ? nativeJson.rawJSON(member.toString()) : member;
}
