import {isUtf8} from 'node:buffer';
import {jsonText, StatusError, type JsonValue} from '../../../sdk/index.js';
import {parseExactJson} from '../../../sdk/values/json-text.js';
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

/** Half of a surrogate pair can only come from an escape: the text itself is valid UTF-8. */
const surrogateEscape = /\\u[dD][89a-fA-F]/;

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
  // The plain parser reports where a fault is; afterwards only a number can be wrong.
  parse(text);
  try {
    return parseExactJson(text);
  } catch (error) {
    throw new DecodeError('JSON', (error as Error).message);
  }
}

/** Writes a value as JSON without blanks; bigint as the integer it is. Members that are undefined are left out. */
export function encodeJson(value: unknown): string {
  return jsonText(value);
}

/** Writes a value as JSON for human readers: two spaces a level and a final newline, as kube-apiserver does for `pretty`. */
export function encodePretty(value: unknown): string {
  return `${jsonText(value, 2)}\n`;
}
