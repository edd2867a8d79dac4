import {createRequire} from 'node:module';
import type protobuf from 'protobufjs/minimal.js';

// Loaded by the first message: most servers use JSON only.
const require = createRequire(import.meta.url);
let loaded: typeof protobuf | undefined;
const library = () => (loaded ??= require('protobufjs/minimal.js') as typeof protobuf);

/** protobufjs' reader and writer. It handles the wire format; the schema decides what is written. */
export const Reader = {create: (bytes: Uint8Array): ProtoReader => library().Reader.create(bytes)};
export const Writer = {create: (): ProtoWriter => library().Writer.create()};
export type ProtoReader = protobuf.Reader;
export type ProtoWriter = protobuf.Writer;

/** Wire types of the protobuf encoding. */
export const wireType = {varint: 0, fixed64: 1, bytes: 2, fixed32: 5} as const;

const highBit = 0x80;

/**
 * Reads a varint of up to 64 bits as a signed integer: a number if exact, otherwise a bigint.
 *
 * @throws RangeError if the buffer ends inside it or it is longer than ten bytes
 */
export function readInt64(reader: ProtoReader): number | bigint {
  const {buf} = reader;
  let result = 0n;
  for (let shift = 0n; shift < 70n; shift += 7n) {
    if (reader.pos >= reader.len) throw new RangeError('the message ends inside a number');
    const byte = buf[reader.pos++]!;
    result |= BigInt(byte & 0x7f) << shift;
    if ((byte & highBit) === 0) {
      const signed = BigInt.asIntN(64, result);
      const number = Number(signed);
      return Number.isSafeInteger(number) ? number : signed;
    }
  }
  throw new RangeError('a number is longer than 64 bits');
}

export function writeInt64(writer: ProtoWriter, value: number | bigint): void {
  if (typeof value === 'number') {
    writer.int64(value);
    return;
  }
  const bits = BigInt.asUintN(64, value);
  writer.int64({low: Number(bits & 0xffffffffn) | 0, high: Number(bits >> 32n) | 0, unsigned: false} as never);
}
