import {StoreError, type ApiObject} from '../../../sdk/index.js';
import type {BufferPieces} from '../../../sdk/values/buffer-pieces.js';
import {endOfString, endOfValue} from '../../../sdk/values/json-outline.js';
import {encodeJson} from '../../api/codec/json.js';

/**
 * Layout of the bytes that a store keeps for an object:
 *
 * | bytes | content |
 * | --- | --- |
 * | 0 | format, 2 |
 * | 1–6 | time of the write, milliseconds since 1970, big endian |
 * | 7–10 | where the resource version belongs, counted from the start of the text, big endian |
 * | 11–16 | mark of the schema that the object was written with, 0 if unknown, big endian |
 * | 17– | the object as JSON; `metadata.resourceVersion` is the empty string |
 *
 * Format 1, which can still be read, lacks the mark. The revision of a write is not known in advance; it is filled into the gap when
 * the record is read.
 *
 * Format 3 is for values that never leave the process (`Store.keepsValues`): byte 17 is the length of the version, for which the text, from 18 on, has room.
 * Whoever reads the value first puts the version there, so that store and cache share the bytes; what the gap holds says nothing about the record.
 */
const format = 2;
const formatWithRoom = 3;
/** Where the text begins, by format. */
const textStarts: readonly number[] = [0, 11, 17, 18];
const quote = 0x22;
/** Of a gap that nobody has filled; no version begins with it. */
const zero = 0x30;
const comma = 0x2c;
const closingBrace = 0x7d;
const metadataBegin = Buffer.from('"metadata":{"resourceVersion":"');
const labelsName = Buffer.from('labels');

/** Where things are in a stored value. `versionOffset` counts from the start of the JSON text. */
export interface StoredHeader {
  readonly writtenAt: number;
  readonly versionOffset: number;
  /** Bytes that are there for the version already. */
  readonly versionLength: number;
  /** 0 when it is not known. */
  readonly schemaMark: number;
  readonly textStart: number;
}

/**
 * The bytes to store for an object, without its `metadata.resourceVersion`.
 *
 * @param now time of the write in milliseconds since 1970
 * @param schemaMark below 2^48
 * @param versionLength digits that the version will probably have, at most 16, in a value that stays in this process; 0 for one that does not
 */
export function encodeStoredValue(object: ApiObject, now: number, schemaMark = 0, versionLength = 0): Buffer {
  const {apiVersion, kind, metadata, ...members} = object;
  const type =
    (apiVersion === undefined ? '' : `"apiVersion":${JSON.stringify(apiVersion)},`) +
    (kind === undefined ? '' : `"kind":${JSON.stringify(kind)},`);
  const head = `{${type}"metadata":{"resourceVersion":"`;
  const headLength = Buffer.byteLength(head);
  const metadataText = encodeJson(withoutVersion(metadata));
  const membersText = encodeJson(members);
  const textStart = textStarts[versionLength === 0 ? format : formatWithRoom]!;
  const continuation = continuedLength(metadataText) + continuedLength(membersText);
  // Not from the shared pool: a store in memory keeps these bytes, and each would hold a whole slab.
  const value = Buffer.allocUnsafeSlow(textStart + headLength + versionLength + 1 + continuation);
  value[0] = format;
  if (versionLength > 0) {
    value[0] = formatWithRoom;
    value[textStart - 1] = versionLength;
  }
  value.writeUIntBE(Math.max(0, Math.round(now)), 1, 6);
  value.writeUInt32BE(headLength, 7);
  value.writeUIntBE(schemaMark, 11, 6);
  let end = textStart + value.write(head, textStart);
  for (let digits = versionLength; digits > 0; digits -= 1) value[end++] = zero;
  value[end] = quote;
  end = writeContinued(value, metadataText, end + 1);
  writeContinued(value, membersText, end);
  return value;
}

/** The store assigns the version. */
function withoutVersion(metadata: ApiObject['metadata']): object {
  if (metadata.resourceVersion === undefined) return metadata;
  const {resourceVersion: _assignedByTheStore, ...others} = metadata;
  return others;
}

const noMembers = '{}';

function continuedLength(text: string): number {
  return text === noMembers ? 1 : Buffer.byteLength(text);
}

/**
 * Appends the members of an object to those already written, with a comma if needed, and closes the object. In place, because concatenating strings would
 * copy once more.
 *
 * @param text JSON of an object with these members only
 * @returns where it ends
 */
function writeContinued(value: Buffer, text: string, at: number): number {
  if (text === noMembers) {
    value[at] = closingBrace;
    return at + 1;
  }
  const length = value.write(text, at);
  value[at] = comma;
  return at + length;
}

/** @throws StoreError `Corrupt` when the bytes are not of this layout */
export function readStoredHeader(value: Buffer, key: string): StoredHeader {
  const start = textStarts[value[0] ?? 0] || Infinity;
  if (value.length > start) {
    const versionOffset = value.readUInt32BE(7);
    const versionLength = value[0] === formatWithRoom ? value[start - 1]! : 0;
    const gap = start + versionOffset;
    if (gap + versionLength < value.length && value[gap + versionLength] === quote && value[gap - 1] === quote) {
      return {
        writtenAt: value.readUIntBE(1, 6),
        versionOffset,
        versionLength,
        schemaMark: value[0] === 1 ? 0 : value.readUIntBE(11, 6),
        textStart: start,
      };
    }
  }
  throw new StoreError('Corrupt', `the record ${JSON.stringify(key)} is not a stored object`);
}

/**
 * The JSON text of a stored value including its resource version: in the value itself if it has room for this version, else in a new buffer.
 *
 * @param pieces where a new buffer gets its memory from; its own by default
 */
export function textOfStoredValue(value: Buffer, header: StoredHeader, revision: number, pieces?: BufferPieces): Buffer {
  const {textStart, versionOffset, versionLength} = header;
  const version = String(revision);
  return version.length === versionLength && holdsVersion(value, textStart + versionOffset, version)
    ? value.subarray(textStart)
    : spliceVersion(value, textStart, versionOffset, versionLength, version, pieces);
}

/** Puts a version into a gap that is empty. False for one that has another version: a value may be stored once more, as it is. */
function holdsVersion(value: Buffer, gap: number, version: string): boolean {
  if (value[gap] === zero) value.write(version, gap, 'latin1');
  else if (value.toString('latin1', gap, gap + version.length) !== version) return false;
  return true;
}

/** JSON text with its resource version replaced. */
export function withVersion(text: Buffer, versionOffset: number, from: number, to: number): Buffer {
  return spliceVersion(text, 0, versionOffset, String(from).length, String(to));
}

function spliceVersion(
  source: Buffer,
  start: number,
  versionOffset: number,
  replacedLength: number,
  version: string,
  pieces?: BufferPieces,
): Buffer {
  const length = source.length - start - replacedLength + version.length;
  const result = pieces?.take(length) ?? Buffer.allocUnsafeSlow(length);
  const gap = start + versionOffset;
  source.copy(result, 0, start, gap);
  result.write(version, versionOffset, 'latin1');
  source.copy(result, versionOffset + version.length, gap + replacedLength);
  return result;
}

/**
 * The labels of an object by its JSON text, without the rest of it: an index or a search asks for those of each object.
 *
 * @returns null if there are none; undefined if the text is not as this server writes it, and has to be parsed as a whole
 */
export function labelsOfText(text: Buffer, versionOffset: number): Readonly<Record<string, string>> | null | undefined {
  if (!endsWith(text, versionOffset, metadataBegin)) return undefined;
  let at = endOfString(text, versionOffset) + 1;
  while (text[at] === comma) {
    const nameEnd = endOfString(text, at + 2);
    const start = nameEnd + 2;
    const end = endOfValue(text, start);
    if (nameEnd - at - 2 === labelsName.length && endsWith(text, nameEnd, labelsName))
      return parsedLabels(text.toString('utf8', start, end));
    at = end;
  }
  return text[at] === closingBrace ? null : undefined;
}

/** Undefined for what is no object of plain texts: escapes may need more care than this. */
function parsedLabels(text: string): Readonly<Record<string, string>> | undefined {
  if (!text.startsWith('{') || text.includes('\\')) return undefined;
  try {
    return JSON.parse(text) as Record<string, string>;
  } catch {
    return undefined;
  }
}

function endsWith(text: Buffer, end: number, suffix: Buffer): boolean {
  const start = end - suffix.length;
  if (start < 0) return false;
  for (let index = 0; index < suffix.length; index++) if (text[start + index] !== suffix[index]) return false;
  return true;
}

/** Whether bytes begin with a prefix. Compared from the end, where the prefixes of versions differ: for so few bytes a loop takes less than `Buffer.compare`. */
export function beginsWith(bytes: Buffer, prefix: Buffer): boolean {
  if (bytes.length < prefix.length) return false;
  for (let index = prefix.length - 1; index >= 0; index--) if (bytes[index] !== prefix[index]) return false;
  return true;
}
