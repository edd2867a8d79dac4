import {type GroupVersionKind, type Interruptible, type JsonObject, apiVersionOf, badRequest} from '../../../sdk/index.js';
import type {SchemaNode} from '../schema/schema-node.js';
import {codecOf} from './codec-of.js';
import type {MessageCodec} from './message-codec.js';
import {readBudget} from './read-budget.js';
import {asBuffer} from './value-codec.js';
import {Reader, Writer, wireType} from './wire.js';

/** The four bytes before every message; a future format would start differently. */
const prefix = Buffer.from([0x6b, 0x38, 0x73, 0x00]);

const bytesTag = (number: number) => (number << 3) | wireType.bytes;

/** A decoded envelope (docs/semantics/representation.md#binary-form). */
export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Buffer;
}

/** Writes an object: the prefix and an `Unknown` message around the object's own message. */
export function encodeObject(object: JsonObject, kind: GroupVersionKind, node: SchemaNode): Buffer {
  const body = Writer.create();
  (codecOf(node) as MessageCodec).writeBody(body, object);
  return sealEnvelope(apiVersionOf(kind), kind.kind, body.finish());
}

/** Wraps an encoded message in its envelope. */
export function sealEnvelope(apiVersion: string, kind: string, raw: Uint8Array): Buffer {
  const {before, behind} = envelopeAround(apiVersion, kind, raw.length);
  return Buffer.concat([before, raw, behind]);
}

/** What stands before and behind a message of so many bytes in its envelope. */
export function envelopeAround(apiVersion: string, kind: string, length: number): {readonly before: Buffer; readonly behind: Buffer} {
  const before = Writer.create();
  before.uint32(bytesTag(1)).fork().uint32(bytesTag(1)).string(apiVersion).uint32(bytesTag(2)).string(kind).ldelim();
  before.uint32(bytesTag(2)).uint32(length);
  const behind = Writer.create().uint32(bytesTag(3)).string('').uint32(bytesTag(4)).string('');
  return {before: Buffer.concat([prefix, before.finish()]), behind: asBuffer(behind.finish())};
}

/**
 * Opens an envelope.
 *
 * @throws 400 for other bytes, or for an object in another encoding
 */
export function openEnvelope(bytes: Buffer): Envelope {
  if (bytes.length === 0) throw badRequest('empty data');
  if (!bytes.subarray(0, 4).equals(prefix))
    throw badRequest(`provided data does not appear to be a protobuf message, expected prefix [${[...prefix].join(' ')}]`);
  if (bytes.length === prefix.length) throw badRequest('empty body');
  const envelope = {apiVersion: '', kind: '', raw: Buffer.alloc(0) as Buffer, contentEncoding: '', contentType: ''};
  try {
    const reader = Reader.create(bytes.subarray(4));
    while (reader.pos < reader.len) {
      const tag = reader.uint32();
      if (tag === bytesTag(1)) readTypeMeta(reader.bytes(), envelope);
      else if (tag === bytesTag(2)) envelope.raw = asBuffer(reader.bytes());
      else if (tag === bytesTag(3)) envelope.contentEncoding = reader.string();
      else if (tag === bytesTag(4)) envelope.contentType = reader.string();
      else reader.skipType(tag & 7);
    }
  } catch (error) {
    throw faultOf(error);
  }
  if (envelope.contentEncoding !== '')
    throw badRequest(`the carried object has the encoding ${JSON.stringify(envelope.contentEncoding)}, which is not known`);
  if (envelope.contentType !== '' && !envelope.contentType.endsWith('.protobuf')) {
    throw badRequest(`the carried object has the content type ${JSON.stringify(envelope.contentType)}, which is not protobuf`);
  }
  return envelope;
}

/**
 * The object in an envelope, with `apiVersion` and `kind`. A large one is read in parts.
 *
 * @param maximumValues an object with more values (strings, numbers, lists, messages, …) is rejected
 * @throws StatusError 400 if the bytes do not match the schema, 413
 */
export function* readCarried(
  {apiVersion, kind, raw}: Envelope,
  node: SchemaNode,
  maximumValues = Number.POSITIVE_INFINITY,
): Interruptible<JsonObject> {
  const object: JsonObject = {apiVersion, kind};
  readBudget.start(maximumValues);
  try {
    yield* (codecOf(node) as MessageCodec).readInParts(Reader.create(raw), object, raw.length);
  } catch (error) {
    throw faultOf(error);
  }
  return object;
}

function readTypeMeta(bytes: Uint8Array, into: {apiVersion: string; kind: string}): void {
  const reader = Reader.create(bytes);
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag === bytesTag(1)) into.apiVersion = reader.string();
    else if (tag === bytesTag(2)) into.kind = reader.string();
    else reader.skipType(tag & 7);
  }
}

/** The messages of protobufjs for malformed bytes. */
const malformed =
  /^(?:invalid (?:varint|tag|length) encoding|invalid end group tag|invalid wire type|illegal tag|max depth exceeded|index out of range)/i;

/** Errors of protobufjs about the bytes are the client's fault. */
function faultOf(error: unknown): unknown {
  return error instanceof RangeError || (error instanceof Error && malformed.test(error.message))
    ? badRequest(error instanceof RangeError ? 'unexpected EOF' : `couldn't decode the binary body: ${error.message}`)
    : error;
}
