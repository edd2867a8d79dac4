import {encodeJson} from '../../codec/json.js';
import {wireType, writeInt64, type ProtoWriter} from '../../protobuf/wire.js';
import type {OpenApiNode} from '../openapi-input.js';

/** Writes the content of a message, without its length. */
export type Content = (writer: ProtoWriter, value: unknown) => void;
/** Writes a value as field `number`. */
export type Field = (writer: ProtoWriter, number: number, value: unknown) => void;
/** The fields of a message, by the JSON member that each is written from. */
export type Members = Readonly<Record<string, readonly [number: number, field: Field]>>;

const tag = (number: number, type: number): number => (number << 3) | type;
// Half a surrogate pair is not valid text in the binary form, and a single one would make the whole document unreadable.
const writeText = (writer: ProtoWriter, number: number, value: string): void =>
  void writer.uint32(tag(number, wireType.bytes)).string(value.toWellFormed());

/** A string, boolean or number. Zero values are left out, as in proto3. */
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

/** A boolean that is one of several alternatives, so it is written even if false. */
export const chosenBoolean: Field = (writer, number, value) => void writer.uint32(tag(number, wireType.varint)).bool(value === true);

/** A message; written even if it is empty. */
export function message(content: Content): Field {
  return (writer, number, value) => {
    writer.uint32(tag(number, wireType.bytes)).fork();
    content(writer, value);
    writer.ldelim();
  };
}

/** A repeated field from a list; a single value becomes one entry. */
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

/** Any value, as YAML text, of which JSON is a subset. */
export const any: Field = message(only(2, (writer, number, value) => writeText(writer, number, encodeJson(value))));

/**
 * A message from the members of an object; members without a field are left out.
 *
 * @param extensions the number of the field for members whose names start with `x-`; 0 if there is none
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
