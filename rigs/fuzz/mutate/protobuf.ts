import type {Random} from '../../../test/helpers/random.js';
import {damage} from './damage.js';

/** A field of a message, as far as the bytes tell. */
type Field =
  | {number: number; kind: 'varint'; value: bigint}
  | {number: number; kind: 'fixed'; wireType: 1 | 5; bytes: Buffer}
  | {number: number; kind: 'bytes'; bytes: Buffer}
  | {number: number; kind: 'message'; fields: Field[]};

const prefix = Buffer.from('6b387300', 'hex');

/** Changes a message in an envelope, field by field; what is none is damaged. */
export function mutateProtobuf(random: Random, bytes: Buffer): Buffer {
  if (!bytes.subarray(0, 4).equals(prefix)) return damage(random, bytes);
  const fields = readMessage(bytes.subarray(4), 0);
  if (!fields) return damage(random, bytes);
  for (let count = 1 + random.below(4); count > 0; count--) mutateFields(random, fields);
  const result = Buffer.concat([prefix, writeMessage(fields)]);
  return random.chance(0.2) ? damage(random, result) : result;
}

const maximumDepth = 40;

/** Answers undefined for bytes that are no message. */
function readMessage(bytes: Buffer, depth: number): Field[] | undefined {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): bigint | undefined => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) return undefined;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    return undefined;
  };
  while (at < bytes.length) {
    const tag = varint();
    if (tag === undefined) return undefined;
    const number = Number(tag >> 3n);
    const wireType = Number(tag & 7n);
    if (number === 0) return undefined;
    if (wireType === 0) {
      const value = varint();
      if (value === undefined) return undefined;
      fields.push({number, kind: 'varint', value});
    } else if (wireType === 1 || wireType === 5) {
      const end = at + (wireType === 1 ? 8 : 4);
      if (end > bytes.length) return undefined;
      fields.push({number, kind: 'fixed', wireType, bytes: bytes.subarray(at, end)});
      at = end;
    } else if (wireType === 2) {
      const length = varint();
      if (length === undefined || length > BigInt(bytes.length - at)) return undefined;
      const content = bytes.subarray(at, at + Number(length));
      at += content.length;
      const inner = content.length > 1 && depth < maximumDepth ? readMessage(content, depth + 1) : undefined;
      fields.push(inner ? {number, kind: 'message', fields: inner} : {number, kind: 'bytes', bytes: content});
    } else return undefined;
  }
  return fields;
}

function varintBytes(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return Buffer.from([...bytes, Number(rest)]);
}

function writeMessage(fields: readonly Field[]): Buffer {
  return Buffer.concat(
    fields.map((field) => {
      const tag = (wireType: number) => varintBytes((BigInt(field.number) << 3n) | BigInt(wireType));
      if (field.kind === 'varint') return Buffer.concat([tag(0), varintBytes(field.value)]);
      if (field.kind === 'fixed') return Buffer.concat([tag(field.wireType), field.bytes]);
      const content = field.kind === 'message' ? writeMessage(field.fields) : field.bytes;
      return Buffer.concat([tag(2), varintBytes(BigInt(content.length)), content]);
    }),
  );
}

/** Chooses one message of all that are in it, and changes one of its fields. */
function mutateFields(random: Random, top: Field[]): void {
  const messages: Field[][] = [];
  const collect = (fields: Field[]) => {
    messages.push(fields);
    for (const field of fields) if (field.kind === 'message') collect(field.fields);
  };
  collect(top);
  const fields = random.pick(messages);
  const at = random.below(fields.length + 1);
  const field = fields[at];
  if (!field) {
    fields.push(strangeField(random));
    return;
  }
  random.pick<() => unknown>([
    () => fields.splice(at, 1),
    () => fields.splice(at, 0, structuredCopy(field)),
    () => fields.splice(at, 0, ...Array.from({length: 100}, () => structuredCopy(field))),
    () => fields.splice(at, 0, strangeField(random)),
    () => (field.number = random.pick([1, 2, 3, field.number + 1, 15, 16, 100, 18_999, 19_000, 536_870_911])),
    () => (fields[at] = {number: field.number, kind: 'varint', value: strangeNumber(random)}),
    () => (fields[at] = {number: field.number, kind: 'bytes', bytes: Buffer.from(random.text())}),
    () => (fields[at] = {number: field.number, kind: 'bytes', bytes: random.bytes(20)}),
    () => (fields[at] = {number: field.number, kind: 'fixed', wireType: 1, bytes: Buffer.alloc(8, random.below(256))}),
    () => (fields[at] = {number: field.number, kind: 'message', fields: structuredCopies(random.pick(messages))}),
  ])();
}

function strangeNumber(random: Random): bigint {
  return random.pick([
    0n,
    1n,
    2n ** 31n - 1n,
    2n ** 31n,
    2n ** 32n,
    2n ** 53n,
    2n ** 63n - 1n,
    2n ** 63n,
    2n ** 64n - 1n,
    BigInt(random.below(1000)),
  ]);
}

function strangeField(random: Random): Field {
  const number = 1 + random.below(30);
  return random.pick<Field>([
    {number, kind: 'varint', value: strangeNumber(random)},
    {number, kind: 'bytes', bytes: Buffer.from(random.text())},
    {number, kind: 'bytes', bytes: Buffer.alloc(0)},
    {number, kind: 'fixed', wireType: 5, bytes: Buffer.alloc(4)},
  ]);
}

function structuredCopy(field: Field): Field {
  return field.kind === 'message' ? {...field, fields: structuredCopies(field.fields)} : {...field};
}

/** At most so many fields are copied: a message copied into itself again and again would grow without end. */
const maximumCopies = 200;

function structuredCopies(fields: readonly Field[]): Field[] {
  return fields.slice(0, maximumCopies).map(structuredCopy);
}
