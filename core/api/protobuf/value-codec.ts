import type {JsonValue} from '../../../sdk/index.js';
import {readInt64, wireType, writeInt64, type ProtoReader, type ProtoWriter} from './wire.js';

/** How one kind of value is encoded in a message, after its tag. */
export interface ValueCodec {
  readonly wireType: number;
  /** What is written for an absent value that must be written; undefined for values that are left out. */
  readonly zero: JsonValue | undefined;
  write(writer: ProtoWriter, value: JsonValue): void;
  /** @throws RangeError if the bytes are not such a value */
  read(reader: ProtoReader): JsonValue;
  /** Whether a decoded value is equivalent to an absent one. */
  isZero(value: JsonValue): boolean;
}

export const stringCodec: ValueCodec = {
  wireType: wireType.bytes,
  zero: '',
  write: (writer, value) => void writer.string(value as string),
  read: (reader) => reader.string(),
  isZero: (value) => value === '',
};

/** base64 in JSON, bytes on the wire. */
export const bytesCodec: ValueCodec = {
  wireType: wireType.bytes,
  zero: undefined,
  write: (writer, value) => void writer.bytes(Buffer.from(value as string, 'base64')),
  read: (reader) => asBuffer(reader.bytes()).toString('base64'),
  isZero: () => false,
};

export const boolCodec: ValueCodec = {
  wireType: wireType.varint,
  zero: false,
  write: (writer, value) => void writer.bool(value as boolean),
  read: (reader) => reader.bool(),
  isZero: (value) => value === false,
};

export const integerCodec: ValueCodec = {
  wireType: wireType.varint,
  zero: 0,
  write: (writer, value) => writeInt64(writer, value as number | bigint),
  read: (reader) => readInt64(reader),
  isZero: (value) => value === 0,
};

export const doubleCodec: ValueCodec = {
  wireType: wireType.fixed64,
  zero: 0,
  write: (writer, value) => void writer.double(Number(value)),
  read: (reader) => reader.double(),
  isZero: (value) => value === 0,
};

export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
