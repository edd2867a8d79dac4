import {apiVersionOf, type ApiObject} from '../../../sdk/index.js';
import {encodeJson} from '../../api/codec/json.js';
import {partialObjectMetadata} from '../../api/table/partial-object-metadata.js';
import type {ServedVersion} from '../../registry/served-version.js';
import {toWatchStatus} from '../../registry/store-errors.js';
import {JsonFrameEncoder} from '../../registry/views/json-frame-encoder.js';
import type {CachedObject} from '../../storage/cache/cached-object.js';
import type {ChangeType, FrameEncoder} from '../../storage/watch/frame-encoder.js';
import type {Representation} from './form.js';
import {ProtobufFrameEncoder} from './protobuf-frames.js';
import {tableOf} from './table.js';

/** Encodes the events of a watch in the form that the client accepts. */
export function frameEncoder(served: ServedVersion, representation: Representation): FrameEncoder {
  const {version, view} = served;
  const {naming, offer} = representation;
  const initialEventsEnd = naming.key('orch/initial-events-end');
  if (offer.form === 'protobuf') return new ProtobufFrameEncoder(served, initialEventsEnd);
  if (offer.form === 'table') return new TableFrameEncoder(served, representation, initialEventsEnd);
  if (offer.form === 'metadata') {
    const apiVersion = apiVersionOf({group: offer.group!, version: offer.version!});
    return new MetadataFrameEncoder(served, apiVersion, initialEventsEnd);
  }
  return new JsonFrameEncoder(
    {apiVersion: version.apiVersion, kind: version.type.kind},
    initialEventsEnd,
    (object) => view.convertedNow(object).bytes,
  );
}

/** The media type of the stream: of its frames, whatever the objects in them are. */
export function watchContentType({offer}: Representation): string {
  return offer.form === 'protobuf' ? `${offer.mediaType};stream=watch` : 'application/json';
}

/** Events that carry the metadata of objects. */
class MetadataFrameEncoder implements FrameEncoder {
  readonly key: string;

  readonly #served: ServedVersion;
  readonly #apiVersion: string;
  readonly #initialEventsEnd: string;

  constructor(served: ServedVersion, apiVersion: string, initialEventsEnd: string) {
    this.#served = served;
    this.#apiVersion = apiVersion;
    this.#initialEventsEnd = initialEventsEnd;
    this.key = `metadata|${served.version.apiVersion}|${apiVersion}`;
  }

  encode(type: ChangeType, object: CachedObject): Buffer {
    return line({type, object: partialObjectMetadata(this.#served.view.convertedNow(object).object(), this.#apiVersion)});
  }

  bookmark(revision: number, initialEventsEnd: boolean): Buffer {
    const annotations = initialEventsEnd ? {annotations: {[this.#initialEventsEnd]: 'true'}} : {};
    const apiVersion = this.#apiVersion;
    return line({
      type: 'BOOKMARK',
      object: {kind: 'PartialObjectMetadata', apiVersion, metadata: {resourceVersion: String(revision), ...annotations}},
    });
  }

  error(error: unknown): Buffer {
    return line({type: 'ERROR', object: toWatchStatus(error)});
  }
}

/** Events whose objects are Tables of one row; the first of a stream has the column definitions. */
class TableFrameEncoder implements FrameEncoder {
  readonly key: string;

  readonly #served: ServedVersion;
  readonly #representation: Representation;
  readonly #initialEventsEnd: string;

  constructor(served: ServedVersion, representation: Representation, initialEventsEnd: string) {
    this.#served = served;
    this.#representation = representation;
    this.#initialEventsEnd = initialEventsEnd;
    const {offer, includeObject} = representation;
    this.key = `table|${served.version.apiVersion}|${offer.version}|${includeObject}`;
  }

  encode(type: ChangeType, object: CachedObject): Buffer {
    return this.#frame(type, object, false);
  }

  encodeFirst(type: ChangeType, object: CachedObject): Buffer {
    return this.#frame(type, object, true);
  }

  bookmark(revision: number, initialEventsEnd: boolean): Buffer {
    const metadata = {resourceVersion: String(revision), ...(initialEventsEnd ? {annotations: {[this.#initialEventsEnd]: 'true'}} : {})};
    const {version} = this.#served;
    const {apiVersion, type} = version;
    const row = {kind: type.kind, apiVersion, metadata} as unknown as ApiObject;
    return line({type: 'BOOKMARK', object: tableOf([row], version, {resourceVersion: String(revision)}, this.#representation, false)});
  }

  error(error: unknown): Buffer {
    return line({type: 'ERROR', object: toWatchStatus(error)});
  }

  #frame(type: ChangeType, cached: CachedObject, withColumns: boolean): Buffer {
    const {version, view} = this.#served;
    const object = view.convertedNow(cached).object();
    const metadata = {resourceVersion: String(cached.revision)};
    return line({type, object: tableOf([object], version, metadata, this.#representation, withColumns)});
  }
}

function line(event: object): Buffer {
  return Buffer.from(`${encodeJson(event)}\n`);
}
