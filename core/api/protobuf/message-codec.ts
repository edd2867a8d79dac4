import {badRequest, type Interruptible, type JsonObject, type JsonValue} from '../../../sdk/index.js';
import {pieceBytes} from '../codec/json-pieces.js';
import {setMember} from '../json/set-member.js';
import type {SchemaNode} from '../schema/schema-node.js';
import {readBudget} from './read-budget.js';
import {stringCodec, type ValueCodec} from './value-codec.js';
import {wireType, type ProtoReader, type ProtoWriter} from './wire.js';

/** The codec of a single value of a schema. */
type CodecFinder = (node: SchemaNode) => ValueCodec;

type Cardinality = 'single' | 'list' | 'map';

interface Field {
  readonly number: number;
  /** The object's member; undefined if the field is a message that contains some of the object's own members. */
  readonly member: string | undefined;
  readonly cardinality: Cardinality;
  readonly codec: ValueCodec;
  /** Written even if absent. */
  readonly always: boolean;
  /** Set in the object even if zero. */
  readonly keepsZero: boolean;
}

/** Encodes objects of one schema as protobuf messages. Fields are resolved on first use. */
export class MessageCodec implements ValueCodec {
  readonly wireType = wireType.bytes;
  readonly zero: JsonValue = {};
  #foundFields: readonly Field[] | undefined;
  #foundByNumber: ReadonlyMap<number, Field> | undefined;
  readonly #node: SchemaNode;
  readonly #codecOf: CodecFinder;
  readonly #within: readonly number[];

  /**
   * @param codecOf finds the codec of a field's values
   * @param within numbers of the nested messages on the way here from the object's own message
   */
  constructor(node: SchemaNode, codecOf: CodecFinder, within: readonly number[] = []) {
    this.#node = node;
    this.#codecOf = codecOf;
    this.#within = within;
  }

  write(writer: ProtoWriter, value: JsonValue): void {
    writer.fork();
    this.writeBody(writer, (value ?? {}) as JsonObject);
    writer.ldelim();
  }

  read(reader: ProtoReader): JsonValue {
    const object: JsonObject = {};
    this.readInto(reader, object, reader.uint32() + reader.pos);
    return object;
  }

  isZero(value: JsonValue): boolean {
    return Object.keys(value as JsonObject).length === 0;
  }

  /** The message without a length prefix. */
  writeBody(writer: ProtoWriter, object: JsonObject): void {
    for (const field of this.#fields) writeField(writer, field, object);
  }

  /** @throws RangeError if the bytes are not such a message, StatusError 400 for a field of another wire type */
  readInto(reader: ProtoReader, object: JsonObject, end: number): void {
    if (end > reader.len) throw new RangeError('a message ends before its length');
    readBudget.enter();
    while (reader.pos < end) {
      const tag = reader.uint32();
      const field = this.#byNumber.get(tag >>> 3);
      if (field && hasItsType(field, tag & 7)) readField(reader, field, object);
      else reader.skipType(tag & 7);
    }
    readBudget.leave();
  }

  /** As `readInto`, for a message that may be large: others may go first between its parts. */
  *readInParts(reader: ProtoReader, object: JsonObject, end: number): Interruptible<void> {
    if (end - reader.pos <= pieceBytes) return this.readInto(reader, object, end);
    if (end > reader.len) throw new RangeError('a message ends before its length');
    readBudget.enter();
    let pieceEnd = reader.pos + pieceBytes;
    while (reader.pos < end) {
      const tag = reader.uint32();
      const field = this.#byNumber.get(tag >>> 3);
      if (!field || !hasItsType(field, tag & 7)) reader.skipType(tag & 7);
      else if (field.cardinality !== 'map' && field.codec instanceof MessageCodec) yield* readMessage(reader, field, field.codec, object);
      else readField(reader, field, object);
      if (reader.pos < pieceEnd) continue;
      pieceEnd = reader.pos + pieceBytes;
      const progress = readBudget.suspend();
      yield;
      readBudget.resume(progress);
    }
    readBudget.leave();
  }

  get #fields(): readonly Field[] {
    return (this.#foundFields ??= fieldsOf(this.#node, this.#codecOf, this.#within));
  }

  get #byNumber(): ReadonlyMap<number, Field> {
    return (this.#foundByNumber ??= new Map(this.#fields.map((field) => [field.number, field])));
  }
}

/**
 * Whether a field comes in the wire type that it has. False for numbers that are packed into one value, which are skipped.
 *
 * @throws 400 for any other wire type, in the words of Go's generated code
 */
function hasItsType({cardinality, codec, member}: Field, given: number): boolean {
  const expected = cardinality === 'map' ? wireType.bytes : codec.wireType;
  if (given === expected) return true;
  if (member === undefined || (cardinality === 'list' && given === wireType.bytes)) return false;
  throw badRequest(`proto: wrong wireType = ${given} for field ${goName(member)}`);
}

/** The name that a member has in Go, but for the abbreviations that few of them contain. */
function goName(member: string): string {
  return member.replace(/^(?:uid|ip|api|url|cidr|csi|nfs|fs|os|tls|ttl)(?=[A-Z]|$)|^./, (begin) => begin.toUpperCase());
}

function fieldsOf(node: SchemaNode, codecOf: CodecFinder, within: readonly number[]): Field[] {
  const fields = new Map<number, Field>();
  for (const [member, child] of node.properties) {
    const given = child.protoField;
    if (given === undefined || isTypeMeta(node, member)) continue;
    const {number, within: path = []} = typeof given === 'number' ? {number: given} : given;
    if (!within.every((step, index) => path[index] === step)) continue;
    const next = path[within.length];
    if (next === undefined) fields.set(number, ownField(number, member, child, codecOf));
    else if (!fields.has(next)) fields.set(next, nestedField(next, new MessageCodec(node, codecOf, [...within, next])));
  }
  return [...fields.values()].sort((a, b) => a.number - b.number);
}

/**
 * `kind` and `apiVersion` of an API object are in the envelope, not in the message. Unlike those of references to other objects, their
 * field numbers are also used by other fields.
 */
function isTypeMeta(node: SchemaNode, member: string): boolean {
  if (member !== 'kind' && member !== 'apiVersion') return false;
  const {properties} = node;
  if (properties.get('kind')?.protoField !== 1 || properties.get('apiVersion')?.protoField !== 2) return false;
  return [...properties].some(
    ([name, {protoField}]) => name !== 'kind' && (protoField === 1 || (typeof protoField === 'object' && protoField.within?.[0] === 1)),
  );
}

function nestedField(number: number, codec: MessageCodec): Field {
  return {number, member: undefined, cardinality: 'single', codec, always: true, keepsZero: false};
}

function ownField(number: number, member: string, node: SchemaNode, codecOf: CodecFinder): Field {
  const explicit = node.presence === 'explicit' || node.presence === 'explicit-null';
  const special = node.schema['x-orch-form'] !== undefined;
  const cardinality: Cardinality = special
    ? 'single'
    : node.type === 'array'
      ? 'list'
      : node.additional && node.properties.size === 0
        ? 'map'
        : 'single';
  const codec = codecOf(cardinality === 'list' ? node.items! : cardinality === 'map' ? node.additional! : node);
  return {
    number,
    member,
    cardinality,
    codec,
    always:
      cardinality === 'single' &&
      !explicit &&
      codec.zero !== undefined &&
      !(special && node.presence === 'omit-empty' && codec.zero === null),
    keepsZero: explicit || node.presence === 'always',
  };
}

function writeField(writer: ProtoWriter, field: Field, object: JsonObject): void {
  const {number, codec, member} = field;
  const tag = (number << 3) | codec.wireType;
  if (member === undefined) {
    codec.write(writer.uint32(tag), object);
    return;
  }
  const value = Object.hasOwn(object, member) ? object[member] : undefined;
  if (field.cardinality === 'list') {
    for (const item of (value ?? []) as JsonValue[]) codec.write(writer.uint32(tag), item ?? emptyOf(codec));
  } else if (field.cardinality === 'map') {
    writeMap(writer, number, codec, (value ?? {}) as JsonObject);
  } else if (value !== undefined && value !== null) {
    codec.write(writer.uint32(tag), value);
  } else if (field.always) {
    codec.write(writer.uint32(tag), codec.zero!);
  }
}

/** An entry is a message of key (1) and value (2); entries are sorted by key. */
function writeMap(writer: ProtoWriter, number: number, codec: ValueCodec, map: JsonObject): void {
  for (const key of Object.keys(map).sort()) {
    writer.uint32((number << 3) | wireType.bytes).fork();
    stringCodec.write(writer.uint32((1 << 3) | wireType.bytes), key);
    codec.write(writer.uint32((2 << 3) | codec.wireType), map[key] ?? emptyOf(codec));
    writer.ldelim();
  }
}

function readField(reader: ProtoReader, field: Field, object: JsonObject): void {
  readBudget.count(1);
  const {codec, member} = field;
  if (member === undefined) {
    (codec as MessageCodec).readInto(reader, object, reader.uint32() + reader.pos);
  } else if (field.cardinality === 'map') {
    if (!Object.hasOwn(object, member)) setMember(object, member, {});
    readEntry(reader, codec, object[member] as JsonObject);
  } else {
    addValue(field, member, object, codec.read(reader));
  }
}

/** As `readField`, for a message. */
function* readMessage(reader: ProtoReader, field: Field, codec: MessageCodec, object: JsonObject): Interruptible<void> {
  readBudget.count(1);
  const value = field.member === undefined ? object : {};
  yield* codec.readInParts(reader, value, reader.uint32() + reader.pos);
  if (field.member !== undefined) addValue(field, field.member, object, value);
}

function addValue({cardinality, codec, keepsZero}: Field, member: string, object: JsonObject, value: JsonValue): void {
  if (cardinality === 'list') {
    if (Object.hasOwn(object, member)) (object[member] as JsonValue[]).push(value);
    else setMember(object, member, [value]);
  } else if (value !== null && (keepsZero || !codec.isZero(value))) {
    setMember(object, member, value);
  }
}

/** The value of an absent item in a list or map. */
function emptyOf(codec: ValueCodec): JsonValue {
  return codec.zero === undefined ? '' : codec.zero;
}

function readEntry(reader: ProtoReader, codec: ValueCodec, map: JsonObject): void {
  const end = reader.uint32() + reader.pos;
  if (end > reader.len) throw new RangeError('a map entry ends before its length');
  let key = '';
  let value = emptyOf(codec);
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag >>> 3 === 1) key = reader.string();
    else if (tag >>> 3 === 2) value = codec.read(reader);
    else reader.skipType(tag & 7);
  }
  setMember(map, key, value);
}
