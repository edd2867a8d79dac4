import type {JsonObject} from '../../../sdk/index.js';
import {encodeObject} from '../../api/protobuf/envelope.js';
import {encodeStatus} from '../../api/protobuf/encode-meta.js';
import {Writer, wireType} from '../../api/protobuf/wire.js';
import type {ResourceTypeVersion} from '../../api/types/resource-type.js';
import type {ServedVersion} from '../../registry/served-version.js';
import {toWatchStatus} from '../../registry/store-errors.js';
import type {CachedObject} from '../../storage/cache/cached-object.js';
import type {ChangeType, FrameEncoder} from '../../storage/watch/frame-encoder.js';

/**
 * Watch events in binary form: each is four bytes of length (big-endian) and a bare `WatchEvent` message, whose object is
 * an enveloped one.
 */
export class ProtobufFrameEncoder implements FrameEncoder {
  readonly key: string;

  readonly #version: ResourceTypeVersion;
  readonly #served: ServedVersion;
  readonly #initialEventsEnd: string;

  constructor(served: ServedVersion, initialEventsEnd: string) {
    this.#served = served;
    this.#initialEventsEnd = initialEventsEnd;
    const {version} = served;
    this.#version = version;
    this.key = `protobuf|${version.apiVersion}|${version.type.kind}`;
  }

  encode(type: ChangeType, object: CachedObject): Buffer {
    return frame(type, this.#envelope(this.#served.view.convertedNow(object).object() as unknown as JsonObject));
  }

  bookmark(revision: number, initialEventsEnd: boolean): Buffer {
    const annotations = initialEventsEnd ? {annotations: {[this.#initialEventsEnd]: 'true'}} : {};
    return frame('BOOKMARK', this.#envelope({metadata: {resourceVersion: String(revision), ...annotations}}));
  }

  error(error: unknown): Buffer {
    return frame('ERROR', encodeStatus(toWatchStatus(error)));
  }

  #envelope(object: JsonObject): Buffer {
    return encodeObject(object, this.#version.kind, this.#version.schema.node);
  }
}

const bytesTag = (number: number) => (number << 3) | wireType.bytes;

function frame(type: string, object: Buffer): Buffer {
  const writer = Writer.create();
  writer.uint32(bytesTag(1)).string(type);
  writer.uint32(bytesTag(2)).fork().uint32(bytesTag(1)).bytes(object).ldelim();
  const message = writer.finish();
  const head = Buffer.allocUnsafe(4);
  head.writeUInt32BE(message.length);
  return Buffer.concat([head, message]);
}
