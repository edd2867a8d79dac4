import type {JsonObject, ListMeta} from '../../../sdk/index.js';
import type {SchemaNode} from '../schema/schema-node.js';
import {codecOf} from './codec-of.js';
import {envelopeAround} from './envelope.js';
import {asBuffer} from './value-codec.js';
import {Writer, wireType, writeInt64} from './wire.js';

const bytesTag = (number: number) => (number << 3) | wireType.bytes;

/** Writes a list piece by piece. */
export interface ListEncoder {
  /** What stands before the items. */
  readonly head: Buffer;
  item(item: JsonObject): Buffer;
  /** The envelope around head and items. @param length of these together */
  envelope(length: number): {readonly before: Buffer; readonly behind: Buffer};
}

/**
 * Every list kind has its metadata in field 1 and its items in field 2.
 *
 * @param list apiVersion and kind of the list
 * @param member the schema of its items
 */
export function listEncoder(
  metadata: ListMeta,
  list: {readonly apiVersion: string; readonly kind: string},
  member: SchemaNode,
): ListEncoder {
  const codec = codecOf(member);
  return {
    head: headOf(metadata),
    item: (item) => {
      const writer = Writer.create();
      codec.write(writer.uint32(bytesTag(2)), item);
      return asBuffer(writer.finish());
    },
    envelope: (length) => envelopeAround(list.apiVersion, list.kind, length),
  };
}

function headOf(metadata: ListMeta): Buffer {
  const writer = Writer.create();
  writer.uint32(bytesTag(1)).fork();
  writer
    .uint32(bytesTag(1))
    .string('')
    .uint32(bytesTag(2))
    .string(metadata.resourceVersion ?? '')
    .uint32(bytesTag(3))
    .string(metadata.continue ?? '');
  if (metadata.remainingItemCount !== undefined) {
    writer.uint32((4 << 3) | wireType.varint);
    writeInt64(writer, metadata.remainingItemCount);
  }
  return asBuffer(writer.ldelim().finish());
}
