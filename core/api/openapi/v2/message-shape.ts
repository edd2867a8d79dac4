import {encodeJson} from '../../codec/json.js';
import {wireType, writeInt64, type ProtoWriter} from '../../protobuf/wire.js';
import type {OpenApiNode} from '../openapi-input.js';

/** Writes the content of a message, without its length. */
export type Content = (writer: ProtoWriter, value: unknown) => void;
/** Writes a value as field `number`. */
export type Field = (writer: ProtoWriter, number: number, value: unknown) => void;
/** The fields of a message by the JSON member that each is written from. */
export type Members = Readonly<Record<string, readonly [number: number, field: Field]>>;

const tag = (number: number, type: number): number => (number << 3) | type;
// Half a surrogate pair is no text in the binary form, and one of them would make the whole document unreadable.
const writeText = (writer: ProtoWriter, number: number, value: string): void =>
  void writer.uint32(tag(number, wireType.bytes)).string(value.toWellFormed());

/** A text, boolean or number. What is zero is left out, as in proto3. */
export const text: Field = (writer, number, value) => {
  if (value !== '') writeText(writer, number, value as string);
};
export const boolean: Field = (writer, number, value) => {
  if (value === true) writer.uint32(tag(number, wireType.varint)).bool(true);
};
export const int64: Field = (writer, number, value) => {
  if (Number(value) !== 0) writeInt64(writer.uint32(tag(number, wireType.varint)), value as number | bigint);
};
export const double: Field = (writer, number, value) => {
  if (Number(value) !== 0) writer.uint32(tag(number, wireType.fixed64)).double(Number(value));
};

/** A boolean that is one of several alternatives: written whatever it is. */
export const chosenBoolean: Field = (writer, number, value) => void writer.uint32(tag(number, wireType.varint)).bool(value === true);

/** A message; present also when it has no content. */
export function message(content: Content): Field {
  return (writer, number, value) => {
    writer.uint32(tag(number, wireType.bytes)).fork();
    content(writer, value);
    writer.ldelim();
  };
}

/** A repeated field from a list; from a single value, one entry. */
export function repeated(field: Field): Field {
  return (writer, number, value) => {
    for (const entry of Array.isArray(value) ? value : [value]) field(writer, number, entry);
  };
}

/** A message with a single field. */
export function only(number: number, field: Field): Content {
  return (writer, value) => field(writer, number, value);
}

/** A repeated message of a name and a value, from the members of an object. */
export function named(field: Field): Field {
  return (writer, number, value) => {
    for (const [name, entry] of Object.entries(value as OpenApiNode)) namedEntry(writer, number, name, field, entry);
  };
}

function namedEntry(writer: ProtoWriter, number: number, name: string, field: Field, value: unknown): void {
  writer.uint32(tag(number, wireType.bytes)).fork();
  writeText(writer, 1, name);
  field(writer, 2, value);
  writer.ldelim();
}

/** Any value, as text in YAML, of which JSON is a part. */
export const any: Field = message(only(2, (writer, number, value) => writeText(writer, number, encodeJson(value))));

/**
 * A message made from the members of an object; members that the message has no field for are left out.
 *
 * @param extensions number of the field for members whose names begin with `x-`; 0 when there is none
 */
export function members(fields: () => Members, extensions: number): Content {
  let known: Members | undefined;
  return (writer, value) => {
    known ??= fields();
    for (const [name, entry] of Object.entries(value as OpenApiNode)) {
      if (entry === undefined) continue;
      const found = Object.hasOwn(known, name) ? known[name] : undefined;
      if (found) found[1](writer, found[0], entry);
      else if (extensions > 0 && name.startsWith('x-')) namedEntry(writer, extensions, name, any, entry);
    }
  };
}
