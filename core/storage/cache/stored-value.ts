import {StoreError, type ApiObject} from '../../../sdk/index.js';
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
 */
const format = 2;
/** Where the text begins, by format. */
const textStarts: readonly number[] = [0, 11, 17];
const textStart = textStarts[format]!;
const quote = 0x22;
const comma = 0x2c;
const closingBrace = 0x7d;

/** Where things are in a stored value. `versionOffset` counts from the start of the JSON text. */
export interface StoredHeader {
  readonly writtenAt: number;
  readonly versionOffset: number;
  /** 0 when it is not known. */
  readonly schemaMark: number;
  readonly textStart: number;
}

/**
 * The bytes to store for an object, without its `metadata.resourceVersion`.
 *
 * @param now time of the write in milliseconds since 1970
 * @param schemaMark below 2^48
 */
export function encodeStoredValue(object: ApiObject, now: number, schemaMark = 0): Buffer {
  const {apiVersion, kind, metadata, ...members} = object;
  const type =
    (apiVersion === undefined ? '' : `"apiVersion":${JSON.stringify(apiVersion)},`) +
    (kind === undefined ? '' : `"kind":${JSON.stringify(kind)},`);
  const head = `{${type}"metadata":{"resourceVersion":"`;
  const headLength = Buffer.byteLength(head);
  const metadataText = encodeJson(withoutVersion(metadata));
  const membersText = encodeJson(members);
  // Not from the shared pool: a store in memory keeps these bytes, and each would hold a whole slab.
  const value = Buffer.allocUnsafeSlow(textStart + headLength + 1 + continuedLength(metadataText) + continuedLength(membersText));
  value[0] = format;
  value.writeUIntBE(Math.max(0, Math.round(now)), 1, 6);
  value.writeUInt32BE(headLength, 7);
  value.writeUIntBE(schemaMark, 11, 6);
  let end = textStart + value.write(head, textStart);
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
    const gap = start + versionOffset;
    if (gap < value.length && value[gap] === quote && value[gap - 1] === quote) {
      return {
        writtenAt: value.readUIntBE(1, 6),
        versionOffset,
        schemaMark: value[0] === format ? value.readUIntBE(11, 6) : 0,
        textStart: start,
      };
    }
  }
  throw new StoreError('Corrupt', `the record ${JSON.stringify(key)} is not a stored object`);
}

/** The JSON text of a stored value including its resource version, in a new buffer. */
export function textOfStoredValue(value: Buffer, header: StoredHeader, revision: number): Buffer {
  return spliceVersion(value, header.textStart, header.versionOffset, 0, String(revision));
}

/** JSON text with its resource version replaced. */
export function withVersion(text: Buffer, versionOffset: number, from: number, to: number): Buffer {
  return spliceVersion(text, 0, versionOffset, String(from).length, String(to));
}

function spliceVersion(source: Buffer, start: number, versionOffset: number, replacedLength: number, version: string): Buffer {
  const result = Buffer.allocUnsafeSlow(source.length - start - replacedLength + version.length);
  const gap = start + versionOffset;
  source.copy(result, 0, start, gap);
  result.write(version, versionOffset, 'latin1');
  source.copy(result, versionOffset + version.length, gap + replacedLength);
  return result;
}

/** Whether bytes begin with a prefix. Compared from the end, where the prefixes of versions differ: for so few bytes a loop takes less than `Buffer.compare`. */
export function beginsWith(bytes: Buffer, prefix: Buffer): boolean {
  if (bytes.length < prefix.length) return false;
  for (let index = prefix.length - 1; index >= 0; index--) if (bytes[index] !== prefix[index]) return false;
  return true;
}
