import type {ApiObject} from '../../../sdk/index.js';
import type {CborCodec} from '../../api/cbor/cbor-codec.js';
import type {SchemaNode} from '../../api/schema/schema-node.js';
import type {ServedVersion} from '../../registry/served-version.js';
import {toWatchStatus} from '../../registry/store-errors.js';
import type {CachedObject} from '../../storage/cache/cached-object.js';
import type {ChangeType, FrameEncoder} from '../../storage/watch/frame-encoder.js';

/** What the events of a watch carry instead of the objects. */
export interface ShownObjects {
  /** Its name among the frames that watchers share. */
  readonly as: string;
  readonly shown: (object: ApiObject) => object;
}

/** Watch events in CBOR: a sequence of items, which need nothing between them. */
export class CborFrameEncoder implements FrameEncoder {
  readonly key: string;

  readonly #codec: CborCodec;
  readonly #served: ServedVersion;
  readonly #initialEventsEnd: string;
  readonly #shown: ShownObjects['shown'] | undefined;
  readonly #node: SchemaNode | undefined;

  constructor(codec: CborCodec, served: ServedVersion, initialEventsEnd: string, instead?: ShownObjects) {
    this.#codec = codec;
    this.#served = served;
    this.#initialEventsEnd = initialEventsEnd;
    this.#shown = instead?.shown;
    const {version} = served;
    this.#node = instead ? undefined : version.schema.node;
    this.key = `cbor|${version.apiVersion}|${version.type.kind}|${instead?.as ?? ''}`;
  }

  encode(type: ChangeType, object: CachedObject): Buffer {
    return this.#frame(type, this.#served.view.convertedNow(object).object());
  }

  bookmark(revision: number, initialEventsEnd: boolean): Buffer {
    const annotations = initialEventsEnd ? {annotations: {[this.#initialEventsEnd]: 'true'}} : {};
    const {apiVersion, type} = this.#served.version;
    return this.#frame('BOOKMARK', {kind: type.kind, apiVersion, metadata: {resourceVersion: String(revision), ...annotations}});
  }

  error(error: unknown): Buffer {
    return this.#codec.event('ERROR', toWatchStatus(error));
  }

  #frame(type: string, object: ApiObject): Buffer {
    return this.#codec.event(type, this.#shown ? this.#shown(object) : object, this.#node);
  }
}
