import type {JsonValue} from '../../../sdk/index.js';
import {decodeJson, encodeJson} from '../codec/json.js';
import {formatDuration, parseDuration} from '../../../sdk/values/duration.js';
import {readBudget} from './read-budget.js';
import {asBuffer, type ValueCodec} from './value-codec.js';
import {readInt64, wireType, writeInt64, type ProtoReader, type ProtoWriter} from './wire.js';

/** Reads the fields of a small message by number; unknown ones are skipped. */
function readFields(reader: ProtoReader, onField: (number: number) => boolean): void {
  const end = reader.uint32() + reader.pos;
  if (end > reader.len) throw new RangeError('a message ends before its length');
  while (reader.pos < end) {
    readBudget.count(1);
    const tag = reader.uint32();
    if (!onField(tag >>> 3)) reader.skipType(tag & 7);
  }
}

const tagOf = (number: number, type: number) => (number << 3) | type;

/** `Time` and `MicroTime`: seconds and nanoseconds. Whole seconds have no nanoseconds; an empty message is the zero time. */
function timeCodec(micros: boolean): ValueCodec {
  return {
    wireType: wireType.bytes,
    zero: null,
    write(writer, value) {
      writer.fork();
      if (value !== null) {
        const text = value as string;
        const millis = Date.parse(text);
        writer.uint32(tagOf(1, wireType.varint));
        writeInt64(writer, Math.floor(millis / 1000));
        writer.uint32(tagOf(2, wireType.varint)).int32(micros ? nanosOf(text) : 0);
      }
      writer.ldelim();
    },
    read(reader) {
      let seconds: number | undefined;
      let nanos = 0;
      readFields(reader, (number) => {
        if (number === 1) seconds = Number(readInt64(reader));
        else if (number === 2) nanos = reader.int32();
        else return false;
        return true;
      });
      if (seconds === undefined) return null;
      const date = new Date(seconds * 1000);
      if (Number.isNaN(date.getTime())) throw new RangeError(`a time of ${seconds} seconds is out of range`);
      const whole = date.toISOString().slice(0, 19);
      return micros ? `${whole}.${String(Math.floor(nanos / 1000)).padStart(6, '0')}Z` : `${whole}Z`;
    },
    isZero: (value) => value === null,
  };
}

/** Nanoseconds of an RFC 3339 time, truncated to whole microseconds. */
function nanosOf(text: string): number {
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? '';
  return Number(fraction.slice(0, 6).padEnd(6, '0')) * 1000;
}

/** A message whose only field, number 1, is a string; JSON has the string without the message. */
const quantityCodec: ValueCodec = {
  wireType: wireType.bytes,
  zero: '0',
  write: (writer, value) => void writer.fork().uint32(tagOf(1, wireType.bytes)).string(String(value)).ldelim(),
  read(reader) {
    let text = '';
    readFields(reader, (number) => {
      if (number !== 1) return false;
      text = reader.string();
      return true;
    });
    return text === '' ? '0' : text;
  },
  isZero: () => false,
};

/** Nanoseconds in field 1; `1h2m3s` in JSON. */
const durationCodec: ValueCodec = {
  wireType: wireType.bytes,
  zero: '0s',
  write(writer, value) {
    writer.fork().uint32(tagOf(1, wireType.varint));
    const nanoseconds = parseDuration(value as string);
    if (nanoseconds === undefined) throw new RangeError(`${JSON.stringify(value)} is not a duration`);
    writeInt64(writer, nanoseconds);
    writer.ldelim();
  },
  read(reader) {
    let nanos: number | bigint = 0;
    readFields(reader, (number) => {
      if (number !== 1) return false;
      nanos = readInt64(reader);
      return true;
    });
    return formatDuration(BigInt(nanos));
  },
  isZero: () => false,
};

/** Type (0 integer, 1 string) in field 1, the integer in 2, the string in 3; all are written. */
export const intOrStringCodec: ValueCodec = {
  wireType: wireType.bytes,
  zero: 0,
  write(writer, value) {
    const isText = typeof value === 'string';
    writer
      .fork()
      .uint32(tagOf(1, wireType.varint))
      .int32(isText ? 1 : 0)
      .uint32(tagOf(2, wireType.varint));
    writeInt64(writer, isText ? 0 : (value as number));
    writer
      .uint32(tagOf(3, wireType.bytes))
      .string(isText ? value : '')
      .ldelim();
  },
  read(reader) {
    let isText = false;
    let integer: JsonValue = 0;
    let text = '';
    readFields(reader, (number) => {
      if (number === 1) isText = Number(readInt64(reader)) === 1;
      else if (number === 2) integer = readInt64(reader);
      else if (number === 3) text = reader.string();
      else return false;
      return true;
    });
    return isText ? text : integer;
  },
  isZero: () => false,
};

/** JSON text as bytes in field 1. */
const rawCodec: ValueCodec = {
  wireType: wireType.bytes,
  zero: null,
  write(writer, value) {
    writer.fork();
    if (value !== null) writer.uint32(tagOf(1, wireType.bytes)).bytes(Buffer.from(encodeJson(value)));
    writer.ldelim();
  },
  read(reader) {
    let value: JsonValue = null;
    readFields(reader, (number) => {
      if (number !== 1) return false;
      const bytes = asBuffer(reader.bytes());
      value = bytes.length === 0 ? null : readBudget.within((maximumValues) => decodeJson(bytes, {maximumValues})).value;
      return true;
    });
    return value;
  },
  isZero: (value) => value === null,
};

/** A list of strings in field 1 of a message. */
const textListCodec: ValueCodec = {
  wireType: wireType.bytes,
  zero: [],
  write(writer, value) {
    writer.fork();
    for (const text of (value ?? []) as string[]) writer.uint32(tagOf(1, wireType.bytes)).string(text);
    writer.ldelim();
  },
  read(reader) {
    const list: string[] = [];
    readFields(reader, (number) => {
      if (number !== 1) return false;
      list.push(reader.string());
      return true;
    });
    return list;
  },
  isZero: () => false,
};

/** Codecs of values whose binary form does not follow from their schema, by `x-orch-form`. */
export const specialCodecs: ReadonlyMap<string, ValueCodec> = new Map([
  ['time', timeCodec(false)],
  ['micro-time', timeCodec(true)],
  ['duration', durationCodec],
  ['quantity', quantityCodec],
  ['raw', rawCodec],
  ['list', textListCodec],
]);

/** A union of JSON schemas: one field for each alternative. */
export function unionCodec(form: string, schema: () => ValueCodec): ValueCodec {
  const number = form === 'schema-or-bool' ? {schema: 2, other: 1} : {schema: 1, other: 2};
  const writeOther = (writer: ProtoWriter, value: JsonValue) => {
    if (typeof value === 'boolean') writer.uint32(tagOf(1, wireType.varint)).bool(value);
    for (const item of Array.isArray(value) ? value : []) {
      writer.uint32(tagOf(2, wireType.bytes));
      if (form === 'schema-or-texts') writer.string(item as string);
      else schema().write(writer, item);
    }
  };
  return {
    wireType: wireType.bytes,
    zero: null,
    write(writer, value) {
      writer.fork();
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
        if (form === 'schema-or-bool') writer.uint32(tagOf(1, wireType.varint)).bool(true);
        writer.uint32(tagOf(number.schema, wireType.bytes));
        schema().write(writer, value);
      } else if (value !== null) {
        writeOther(writer, value);
      }
      writer.ldelim();
    },
    read(reader) {
      let found: JsonValue = null;
      let allows: boolean | undefined;
      const list: JsonValue[] = [];
      readFields(reader, (field) => {
        if (field === number.schema) found = schema().read(reader);
        else if (field === number.other && form === 'schema-or-bool') allows = reader.bool();
        else if (field === number.other) list.push(form === 'schema-or-texts' ? reader.string() : schema().read(reader));
        else return false;
        return true;
      });
      if (list.length > 0) return list;
      return found ?? allows ?? null;
    },
    isZero: (value) => value === null,
  };
}
