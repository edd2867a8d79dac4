import {crc32} from 'node:zlib';
import {damagedValue, type ChangeHeader, type ChangeRecord} from './record-table.js';

/*
 * A record on disk, little-endian:
 *
 *   0  u32  CRC-32 of the bytes from 8 to the end of the key, begun with the revision
 *   4  u32  CRC-32 of the value
 *   8  u8   1 = the record has a value, 2 = a deletion
 *   9  u8   0
 *  10  u16  length of the type in bytes
 *  12  u32  length of the key in bytes
 *  16  f64  time
 *  24  f64  revision of the record that was replaced, or 0
 *  32       type, key, value
 */
const fixedLength = 32;
const withValue = 1;
const deletion = 2;

/** Bytes that a record takes on disk. */
export function encodedLength({type, key, value}: ChangeRecord): number {
  return fixedLength + Buffer.byteLength(type) + Buffer.byteLength(key) + (value?.length ?? 0);
}

/** Writes a record at an offset and answers where it ends. There must be room. */
export function encodeRecord(record: ChangeRecord, target: Buffer, at: number): number {
  const {value} = record;
  const typeLength = target.write(record.type, at + fixedLength);
  const keyLength = target.write(record.key, at + fixedLength + typeLength);
  const valueStart = at + fixedLength + typeLength + keyLength;
  target[at + 8] = value === null ? deletion : withValue;
  target[at + 9] = 0;
  target.writeUInt16LE(typeLength, at + 10);
  target.writeUInt32LE(keyLength, at + 12);
  target.writeDoubleLE(record.time, at + 16);
  target.writeDoubleLE(record.previous, at + 24);
  target.writeUInt32LE(headerChecksum(target.subarray(at + 8, valueStart), record.revision), at);
  target.writeUInt32LE(value === null ? 0 : crc32(value), at + 4);
  if (value === null) return valueStart;
  target.set(value, valueStart);
  return valueStart + value.length;
}

/** Where the header of a record ends; 0 when it is damaged. */
function endOfHeader(revision: number, bytes: Buffer): number {
  if (bytes.length < fixedLength) return 0;
  const end = fixedLength + bytes.readUInt16LE(10) + bytes.readUInt32LE(12);
  if (end > bytes.length) return 0;
  if (bytes.readUInt32LE(0) !== headerChecksum(bytes.subarray(8, end), revision)) return 0;
  const kind = bytes[8];
  return kind === withValue || kind === deletion ? end : 0;
}

/** The header of a record, or undefined when it is damaged. The value is not looked at. */
export function decodeHeader(revision: number, bytes: Buffer): ChangeHeader | undefined {
  const keyEnd = endOfHeader(revision, bytes);
  if (keyEnd === 0) return undefined;
  const typeLength = bytes.readUInt16LE(10);
  return {
    revision,
    time: bytes.readDoubleLE(16),
    type: bytes.toString('utf8', fixedLength, fixedLength + typeLength),
    key: bytes.toString('utf8', fixedLength + typeLength, keyEnd),
    previous: bytes.readDoubleLE(24),
    deleted: bytes[8] === deletion,
  };
}

/** The value of a record, which shares the memory of `bytes`; null of a deletion, `damagedValue` where only that is damaged, undefined where more is. */
export function decodeValue(revision: number, bytes: Buffer): Buffer | null | undefined {
  const start = endOfHeader(revision, bytes);
  if (start === 0) return undefined;
  if (bytes[8] === deletion) return null;
  const value = bytes.subarray(start);
  return crc32(value) === bytes.readUInt32LE(4) ? value : damagedValue;
}

/** A record with its value, which shares the memory of `bytes`, or undefined when more of it is damaged than that. */
export function decodeRecord(revision: number, bytes: Buffer): ChangeRecord | undefined {
  const header = decodeHeader(revision, bytes);
  const value = header && decodeValue(revision, bytes);
  return value === undefined ? undefined : {...header!, value};
}

/** The revision takes part, so that a record found under another revision counts as damaged. */
function headerChecksum(bytes: Buffer, revision: number): number {
  return crc32(bytes, revision >>> 0);
}
