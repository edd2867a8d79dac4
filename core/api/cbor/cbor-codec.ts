import type {Interruptible, JsonObject, JsonValue} from '../../../sdk/index.js';
import type {SchemaNode} from '../schema/schema-node.js';
import {CborFault, selfDescribed} from './cbor-head.js';
import {cborTypeAt} from './cbor-type-at.js';
import type {CborBounds} from './outline-cbor.js';
import {readCbor, type ReadCbor} from './read-cbor.js';
import {CborWriter, encodeCbor} from './write-cbor.js';

/**
 * The binary form of JSON (RFC 8949) as Kubernetes reads and writes it, behind the gate `CBORServingAndStorage` (decision 79). Servers without the
 * gate do not load it; those with it have it in each exchange.
 */
export const cborCodec = {
  encode: encodeCbor,

  /** What stands before the members of a list that is the last member of a document. */
  listHead(document: object, member: string, count: number): Buffer {
    const entries = Object.entries(document as JsonObject);
    const writer = new CborWriter();
    writer.raw(selfDescribed);
    writer.open('map', entries.length + 1);
    for (const [name, value] of entries) {
      writer.text(name);
      writer.value(value as JsonValue, undefined);
    }
    writer.text(member);
    writer.open('array', count);
    return writer.finish();
  },

  /** A member of a list. */
  item(value: unknown, node?: SchemaNode): Buffer {
    const writer = new CborWriter();
    writer.value(value as JsonValue, node);
    return writer.finish();
  },

  /** An event of a watch: an object in an object, each behind the tag of CBOR. */
  event(type: string, object: unknown, node?: SchemaNode): Buffer {
    const writer = new CborWriter();
    writer.raw(selfDescribed);
    writer.open('map', 2);
    writer.text('type');
    writer.text(type);
    writer.text('object');
    writer.raw(selfDescribed);
    writer.value(object as JsonValue, node);
    return writer.finish();
  },

  /** As `readCbor`, with what is not well-formed as a fault too. @throws StatusError 413 for too many values */
  *read(bytes: Buffer, bounds: CborBounds, hasTimes: boolean): Interruptible<ReadCbor> {
    try {
      return yield* readCbor(bytes, bounds, hasTimes);
    } catch (error) {
      if (!(error instanceof CborFault)) throw error;
      return {value: null, fault: error.message, isOutermost: true};
    }
  },

  typeAt: cborTypeAt,
} as const;

export type CborCodec = typeof cborCodec;
