import {isUtf8} from 'node:buffer';

/** Major types of CBOR (RFC 8949, 3.1): the three highest bits of the byte that begins an item. */
export const major = {positive: 0, negative: 1, bytes: 2, text: 3, array: 4, map: 5, tag: 6, simple: 7} as const;

/** Low bits of a first byte. Below `oneByte` they are the argument itself. */
export const info = {oneByte: 24, twoBytes: 25, fourBytes: 26, eightBytes: 27, indefinite: 31} as const;

/** The byte that ends an item of indefinite length. */
export const breakByte = 0xff;

/** Tags that mean something here (RFC 8949, 3.4). */
export const tags = {
  timeText: 0,
  epochTime: 1,
  positiveBignum: 2,
  negativeBignum: 3,
  base64Url: 21,
  base64: 22,
  base16: 23,
  selfDescribed: 55_799,
} as const;

/** What every item that is sent begins with: the tag that says that it is CBOR. */
export const selfDescribed: Buffer = Buffer.from([0xd9, 0xd9, 0xf7]);

const typeNames = [
  'positive integer',
  'negative integer',
  'byte string',
  'UTF-8 text string',
  'array',
  'map',
  'tag',
  'primitives',
] as const;

/** The name that Kubernetes' messages have for the type of the item that begins with a byte. */
export function cborTypeName(first: number): string {
  return typeNames[first >> 5]!;
}

/** Why bytes are no CBOR that is accepted, in the words of Kubernetes' decoder. */
export class CborFault extends Error {
  override readonly name = 'CborFault';
}

/** Number of bytes of the argument behind a first byte. */
export function argumentBytes(first: number): number {
  const low = first & 31;
  return low < info.oneByte || low === info.indefinite ? 0 : 1 << (low - info.oneByte);
}

/** The argument of the item at an offset: a length, a number, a tag. Beyond 2^53 it is not exact. The bytes must be there. */
export function argumentAt(bytes: Buffer, offset: number): number {
  const low = bytes[offset]! & 31;
  switch (low) {
    case info.oneByte:
      return bytes[offset + 1]!;
    case info.twoBytes:
      return bytes.readUInt16BE(offset + 1);
    case info.fourBytes:
      return bytes.readUInt32BE(offset + 1);
    case info.eightBytes:
      return bytes.readUInt32BE(offset + 1) * 2 ** 32 + bytes.readUInt32BE(offset + 5);
    default:
      return low;
  }
}

/** The number in a float of two, four or eight bytes. */
export function floatAt(bytes: Buffer, offset: number): number {
  switch (bytes[offset]! & 31) {
    case info.twoBytes:
      return halfFloat(bytes.readUInt16BE(offset + 1));
    case info.fourBytes:
      return bytes.readFloatBE(offset + 1);
    default:
      return bytes.readDoubleBE(offset + 1);
  }
}

function halfFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** Longest text that is made letter by letter, which is faster than to ask Node.js for it; a longer one would be kept in pieces. */
const shortText = 12;

function asciiAt(bytes: Buffer, start: number, end: number): string | undefined {
  let text = '';
  for (let at = start; at < end; at++) {
    const code = bytes[at]!;
    if (code > 0x7f) return undefined;
    text += String.fromCharCode(code);
  }
  return text;
}

/** A text of UTF-8; undefined if it is none. */
export function utf8At(bytes: Buffer, start: number, end: number): string | undefined {
  if (end - start <= shortText) {
    const text = asciiAt(bytes, start, end);
    if (text !== undefined) return text;
  }
  const text = bytes.toString('utf8', start, end);
  return text.includes('\ufffd') && !isUtf8(bytes.subarray(start, end)) ? undefined : text;
}

/** Where the item at an offset ends. @param bytes are well-formed, and nest to a bounded depth */
export function itemEnd(bytes: Buffer, offset: number): number {
  const first = bytes[offset]!;
  const argument = argumentAt(bytes, offset);
  const type = first >> 5;
  let end = offset + 1 + argumentBytes(first);
  if (type === major.tag) return itemEnd(bytes, end);
  if (type < major.bytes || type > major.map) return end;
  if ((first & 31) === info.indefinite) {
    while (bytes[end] !== breakByte) end = itemEnd(bytes, end);
    return end + 1;
  }
  if (type <= major.text) return end + argument;
  for (let left = type === major.map ? argument * 2 : argument; left > 0; left--) end = itemEnd(bytes, end);
  return end;
}

/** Offset of what is behind the tags of the item at an offset. */
export function behindTags(bytes: Buffer, offset: number): number {
  let at = offset;
  while (bytes[at]! >> 5 === major.tag) at += 1 + argumentBytes(bytes[at]!);
  return at;
}
