import type {ApiObject} from '../../../sdk/index.js';
import {encodeStatus} from '../../api/protobuf/encode-meta.js';
import {Writer, wireType} from '../../api/protobuf/wire.js';
import type {ServedVersion} from '../../registry/served-version.js';
import {toWatchStatus} from '../../registry/store-errors.js';
import type {CachedObject} from '../../storage/cache/cached-object.js';
import type {ChangeType, FrameEncoder} from '../../storage/watch/frame-encoder.js';

/** What events carry of objects. */
export interface BinaryEvents {
  /** Streams with the same key share what is made for them. */
  readonly key: string;
  /** @returns the enveloped message */
  encode(object: Pick<ApiObject, 'metadata'>): Buffer;
}

/**
 * Watch events in binary form: each is four bytes of length (big-endian) and a bare `WatchEvent` message, whose object is
 * an enveloped one.
 */
export class ProtobufFrameEncoder implements FrameEncoder {
  readonly key: string;
  readonly #served: ServedVersion;
  readonly #initialEventsEnd: string;
  readonly #events: BinaryEvents;

  constructor(served: ServedVersion, initialEventsEnd: string, events: BinaryEvents) {
    this.#served = served;
    this.#initialEventsEnd = initialEventsEnd;
    this.#events = events;
    this.key = events.key;
  }

  encode(type: ChangeType, object: CachedObject): Buffer {
    return frame(type, this.#events.encode(this.#served.view.convertedNow(object).object()));
  }

  bookmark(revision: number, initialEventsEnd: boolean): Buffer {
    const annotations = initialEventsEnd ? {annotations: {[this.#initialEventsEnd]: 'true'}} : {};
    return frame('BOOKMARK', this.#events.encode({metadata: {resourceVersion: String(revision), ...annotations}}));
  }

  error(error: unknown): Buffer {
    return frame('ERROR', encodeStatus(toWatchStatus(error)));
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
