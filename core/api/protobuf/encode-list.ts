import type {JsonObject, ListMeta} from '../../../sdk/index.js';
import type {ResourceTypeVersion} from '../types/resource-type.js';
import {codecOf} from './codec-of.js';
import {sealEnvelope} from './envelope.js';
import {Writer, wireType, writeInt64} from './wire.js';

const bytesTag = (number: number) => (number << 3) | wireType.bytes;

/** Writes a list. Every list kind has its metadata in field 1 and its items in field 2. */
export function encodeList(items: readonly JsonObject[], metadata: ListMeta, version: ResourceTypeVersion): Buffer {
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
  writer.ldelim();
  const codec = codecOf(version.schema.node);
  for (const item of items) codec.write(writer.uint32(bytesTag(2)), item);
  return sealEnvelope(version.apiVersion, version.type.listKind, writer.finish());
}
