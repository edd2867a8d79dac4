import {isUtf8} from 'node:buffer';
import {jsonText, StatusError, type Interruptible, type JsonValue} from '../../../sdk/index.js';
import {parseExactJson} from '../../../sdk/values/json-text.js';
import {DecodeError, positionAt} from './decode-error.js';
import {outlineJson, type JsonOutline} from '../../../sdk/values/json-outline.js';
import {parseInPieces, pieceBytes} from './json-pieces.js';
import {scanJson} from './json-scanner.js';

/** A decoded body. */
export interface Decoded {
  readonly value: JsonValue;
  /** Paths of members that occur more than once (`metadata.labels.a`, `spec.containers[0].name`); empty unless requested. */
  readonly duplicates: string[];
  /** The same in a YAML text, in the words that clients know (`line 9: key "name" already set in map`), in order. */
  readonly repetitions?: readonly string[];
}

export interface DecodeOptions {
  /** Look for duplicate members. If there are any, this costs a second pass over the text. */
  readonly duplicates?: boolean;
  /** A body with more values (strings, numbers, lists, objects, …) is rejected. */
  readonly maximumValues?: number;
  /** Whether a YAML text without a document, as one of comments alone, is null. */
  readonly mayBeEmpty?: boolean;
}

/** Maximum nesting of objects and lists in a body. Code that walks decoded values may recurse this deep. */
export const maximumDepth = 1000;

/** Half a surrogate pair can only come from an escape: the text itself is valid UTF-8. */
const surrogateEscape = /\\u[dD][89a-fA-F]/;

/**
 * Reads a JSON body. The last of duplicate members wins. Integers above 2^53 become bigints. An escape for half a surrogate pair becomes
 * U+FFFD, as in Go, because it has no UTF-8 encoding.
 *
 * @throws StatusError 413 for too many values
 * @throws DecodeError for anything other than one JSON value in UTF-8 without a byte order mark, for nesting deeper than `maximumDepth`,
 * and for numbers outside the range of a double
 */
export function decodeJson(bytes: Buffer, options: DecodeOptions = {}): Decoded {
  const outline = outlineOf(bytes, options);
  return decodedWhole(bytes, outline, options);
}

/** As `decodeJson`, for bodies of clients: what is large is read in pieces. */
export function* readJson(bytes: Buffer, options: DecodeOptions = {}): Interruptible<Decoded> {
  const outline = outlineOf(bytes, options);
  if (bytes.length <= pieceBytes) return decodedWhole(bytes, outline, options);
  yield;
  const value = yield* inPieces(bytes, (text) => parsePiece(text, outline, JSON.parse as typeof parse));
  return value === undefined ? decodedWhole(bytes, outline, options) : {value, duplicates: duplicatesIn(value, bytes, outline, options)};
}

/** @throws as `decodeJson`, for faults that are seen without parsing */
function outlineOf(bytes: Buffer, options: DecodeOptions): JsonOutline {
  if (bytes.length === 0) throw new DecodeError('JSON', 'the body is empty');
  if (!isUtf8(bytes)) throw new DecodeError('JSON', 'the body is not valid UTF-8');
  const outline = outlineJson(bytes, maximumDepth);
  if (outline.tooDeep) throw new DecodeError('JSON', `the body is nested deeper than ${maximumDepth} levels`);
  if (outline.values > (options.maximumValues ?? Number.POSITIVE_INFINITY)) throw tooManyValues(options.maximumValues!);
  return outline;
}

function decodedWhole(bytes: Buffer, outline: JsonOutline, options: DecodeOptions): Decoded {
  const value = parsePiece(bytes.toString('utf8'), outline, parse);
  return {value, duplicates: duplicatesIn(value, bytes, outline, options)};
}

/** Every member takes one colon, so fewer members than colons means duplicates, and most bodies need no second pass. */
function duplicatesIn(value: JsonValue, bytes: Buffer, outline: JsonOutline, options: DecodeOptions): string[] {
  return options.duplicates === true && countMembers(value) < outline.colons ? scanJson(bytes.toString('utf8')).duplicates : [];
}

/** Undefined for what is no JSON: the parser of whole texts says where. */
function* inPieces(bytes: Buffer, parsePiece: (text: string) => JsonValue): Interruptible<JsonValue | undefined> {
  try {
    return yield* parseInPieces(bytes, parsePiece);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof DecodeError) return undefined;
    throw error;
  }
}

/**
 * Parses a text with the care that the outline of its body asks for.
 *
 * @param plain reports the position of syntax errors where it is `parse`; if it succeeds, only a number can be at fault
 */
function parsePiece(text: string, {hasLongNumbers, hasExponents}: JsonOutline, plain: (text: string) => JsonValue): JsonValue {
  const parsed = plain(text);
  const exact = hasLongNumbers || (hasExponents && hasInfinity(parsed)) ? parseExactly(text) : parsed;
  return surrogateEscape.test(text) ? wellFormed(exact) : exact;
}

/** 413: the time that a body takes depends on its values rather than its bytes. */
export function tooManyValues(maximum: number): StatusError {
  return new StatusError(
    413,
    'RequestEntityTooLarge',
    `the body has more than ${maximum} values (texts, numbers, lists, objects and the like)`,
  );
}

/** Whether a number in a value was too large for a double. The depth is already bounded. */
function hasInfinity(value: JsonValue | undefined): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'number' && !Number.isFinite(value);
  return Array.isArray(value) ? value.some(hasInfinity) : Object.values(value).some(hasInfinity);
}

/** Names and strings without unpaired surrogates. The depth is already bounded. */
function wellFormed(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(wellFormed);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name.toWellFormed(), wellFormed(member!)]));
}

/** Members of all objects in a value. The depth is already bounded. */
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
  try {
    return parseExactJson(text);
  } catch (error) {
    throw new DecodeError('JSON', (error as Error).message);
  }
}

/** Writes a value as compact JSON; a bigint as the integer it is. Undefined members are left out. */
export function encodeJson(value: unknown): string {
  return jsonText(value);
}

/** Writes a value as JSON for human readers: two spaces per level and a final newline, as kube-apiserver does for `pretty`. */
export function encodePretty(value: unknown): string {
  return `${jsonText(value, 2)}\n`;
}
