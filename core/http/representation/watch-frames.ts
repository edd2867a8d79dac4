import {apiVersionOf, type ApiObject, type JsonObject} from '../../../sdk/index.js';
import type {CborCodec} from '../../api/cbor/cbor-codec.js';
import {cborMediaType, cborSequence} from '../../api/negotiation/cbor-media-types.js';
import {encodePartialMetadata} from '../../api/protobuf/encode-meta.js';
import {encodeObject} from '../../api/protobuf/envelope.js';
import {partialObjectMetadata} from '../../api/table/partial-object-metadata.js';
import type {ServedVersion} from '../../registry/served-version.js';
import {toWatchStatus} from '../../registry/store-errors.js';
import {eventLine, JsonFrameEncoder} from '../../registry/views/json-frame-encoder.js';
import type {CachedObject} from '../../storage/cache/cached-object.js';
import type {ChangeType, FrameEncoder} from '../../storage/watch/frame-encoder.js';
import {CborFrameEncoder} from './cbor-frames.js';
import type {FormOffer, Representation} from './form.js';
import {ProtobufFrameEncoder, type BinaryEvents} from './protobuf-frames.js';
import {tableOf} from './table.js';

/** Encodes the events of a watch in the form that the client accepts. */
export function frameEncoder(served: ServedVersion, representation: Representation, cbor: CborCodec | undefined): FrameEncoder {
  const {version, view} = served;
  const {naming, offer} = representation;
  const initialEventsEnd = naming.key('orch/initial-events-end');
  if (offer.form === 'cbor') return new CborFrameEncoder(cbor!, served, initialEventsEnd);
  if (offer.isProtobuf) return new ProtobufFrameEncoder(served, initialEventsEnd, binaryEvents(served, offer));
  if (offer.form === 'table') {
    const key = `table|${version.apiVersion}|${offer.version}|${representation.includeObject}`;
    return new TableFrameEncoder(key, served, initialEventsEnd, (object, metadata, withColumns) =>
      tableOf([object], version, metadata, representation, withColumns),
    );
  }
  if (offer.form === 'metadata') {
    const apiVersion = apiVersionOf({group: offer.group!, version: offer.version!});
    const shown = (object: ApiObject) => partialObjectMetadata(object, apiVersion);
    if (offer.mediaType === cborMediaType)
      return new CborFrameEncoder(cbor!, served, initialEventsEnd, {as: `metadata|${apiVersion}`, shown});
    return new ShownFrameEncoder(`metadata|${version.apiVersion}|${apiVersion}`, served, initialEventsEnd, shown);
  }
  return new JsonFrameEncoder(
    {apiVersion: version.apiVersion, kind: version.type.kind},
    initialEventsEnd,
    (object) => view.convertedNow(object).bytes,
  );
}

/** Whether the events are bytes and no text. */
export function isBinary({offer}: Representation): boolean {
  return offer.isProtobuf === true || offer.mediaType === cborMediaType;
}

function binaryEvents({version}: ServedVersion, {form, group, version: of}: FormOffer): BinaryEvents {
  const {kind, schema, apiVersion} = version;
  const whole = `protobuf|${apiVersion}|${kind.kind}`;
  if (form === 'protobuf') return {key: whole, encode: (object) => encodeObject(object as unknown as JsonObject, kind, schema.node)};
  const groupVersion = {group: group!, version: of!};
  return {key: `${whole}|metadata|${of}`, encode: (object) => encodePartialMetadata(object, groupVersion)};
}

/** The media type of the stream: of its frames, whatever the objects in them are. */
export function watchContentType({offer}: Representation): string {
  if (offer.mediaType === cborMediaType) return cborSequence;
  return offer.isProtobuf ? `${offer.mediaType};stream=watch` : 'application/json';
}

/**
 * What an event carries of an object.
 *
 * @param withColumns whether a Table has the definitions of its columns
 */
type Shown = (object: ApiObject, metadata: {readonly resourceVersion: string}, withColumns: boolean) => object;

/** Events that carry something made of the objects. */
class ShownFrameEncoder implements FrameEncoder {
  readonly #served: ServedVersion;
  readonly #initialEventsEnd: string;
  readonly #shown: Shown;

  constructor(
    readonly key: string,
    served: ServedVersion,
    initialEventsEnd: string,
    shown: Shown,
  ) {
    this.#served = served;
    this.#initialEventsEnd = initialEventsEnd;
    this.#shown = shown;
  }

  encode(type: ChangeType, object: CachedObject): Buffer {
    return this.frame(type, object, false);
  }

  bookmark(revision: number, initialEventsEnd: boolean): Buffer {
    const resourceVersion = String(revision);
    const annotations = initialEventsEnd ? {annotations: {[this.#initialEventsEnd]: 'true'}} : {};
    const {apiVersion, type} = this.#served.version;
    const object: ApiObject = {kind: type.kind, apiVersion, metadata: {resourceVersion, ...annotations}};
    return eventLine({type: 'BOOKMARK', object: this.#shown(object, {resourceVersion}, false)});
  }

  error(error: unknown): Buffer {
    return eventLine({type: 'ERROR', object: toWatchStatus(error)});
  }

  protected frame(type: ChangeType, object: CachedObject, withColumns: boolean): Buffer {
    const metadata = {resourceVersion: String(object.revision)};
    return eventLine({type, object: this.#shown(this.#served.view.convertedNow(object).object(), metadata, withColumns)});
  }
}

/** Events whose objects are Tables of one row; the first of a stream has the column definitions. */
class TableFrameEncoder extends ShownFrameEncoder {
  encodeFirst(type: ChangeType, object: CachedObject): Buffer {
    return this.frame(type, object, true);
  }
}
