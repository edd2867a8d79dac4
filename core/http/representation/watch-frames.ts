import {apiVersionOf, type ApiObject, type Status} from '../../../sdk/index.js';
import {encodeJson} from '../../api/codec/json.js';
import {partialObjectMetadata} from '../../api/table/partial-object-metadata.js';
import {convertTo} from '../../api/types/convert.js';
import type {ResourceTypeVersion} from '../../api/types/resource-type.js';
import {inVersion} from '../../registry/result-object.js';
import type {CachedObject} from '../../storage/cached-object.js';
import type {ChangeType, FrameEncoder} from '../../storage/watch/frame-encoder.js';
import {JsonFrameEncoder} from '../../storage/watch/json-frame-encoder.js';
import type {Representation} from './form.js';
import {ProtobufFrameEncoder} from './protobuf-frames.js';
import {tableOf} from './table.js';

/** What writes the events of a watch in the form that the client wants. */
export function frameEncoder(version: ResourceTypeVersion, representation: Representation): FrameEncoder {
  const {naming, offer} = representation;
  const initialEventsEnd = naming.key('orch/initial-events-end');
  if (offer.form === 'protobuf') return new ProtobufFrameEncoder(version, initialEventsEnd);
  if (offer.form === 'table') return new TableFrameEncoder(version, representation, initialEventsEnd);
  if (offer.form === 'metadata') {
    const apiVersion = apiVersionOf({group: offer.group!, version: offer.version!});
    return new DocumentFrameEncoder(`metadata|${apiVersion}`, {apiVersion, kind: 'PartialObjectMetadata'}, initialEventsEnd, (object) =>
      partialObjectMetadata(object, apiVersion),
    );
  }
  const type = {apiVersion: version.apiVersion, kind: version.type.kind};
  if (version.isStorageVersion) return new JsonFrameEncoder(type, initialEventsEnd, (object) => inVersion(object, version).bytes);
  return new DocumentFrameEncoder(`json|${version.apiVersion}`, type, initialEventsEnd, (object) => convertTo(object, version));
}

/** The media type of the stream: of its frames, whatever the objects in them are. */
export function watchContentType({offer}: Representation): string {
  return offer.form === 'protobuf' ? `${offer.mediaType};stream=watch` : 'application/json';
}

/** Events whose objects are documents made for the purpose. */
class DocumentFrameEncoder implements FrameEncoder {
  constructor(
    readonly key: string,
    private readonly type: {readonly apiVersion: string; readonly kind: string},
    private readonly initialEventsEnd: string,
    private readonly documentOf: (object: ApiObject) => unknown,
  ) {}

  encode(type: ChangeType, object: CachedObject): Buffer {
    return line({type, object: this.documentOf(object.object())});
  }

  bookmark(revision: number, initialEventsEnd: boolean): Buffer {
    const annotations = initialEventsEnd ? {annotations: {[this.initialEventsEnd]: 'true'}} : {};
    const {apiVersion, kind} = this.type;
    return line({type: 'BOOKMARK', object: {kind, apiVersion, metadata: {resourceVersion: String(revision), ...annotations}}});
  }

  error(status: Status): Buffer {
    return line({type: 'ERROR', object: status});
  }
}

/** Events whose objects are Tables of one row; the first of a stream tells the columns. */
class TableFrameEncoder implements FrameEncoder {
  readonly key: string;

  constructor(
    private readonly version: ResourceTypeVersion,
    private readonly representation: Representation,
    private readonly initialEventsEnd: string,
  ) {
    const {offer, includeObject} = representation;
    this.key = `table|${version.apiVersion}|${offer.version}|${includeObject}`;
  }

  encode(type: ChangeType, object: CachedObject): Buffer {
    return this.#frame(type, object, false);
  }

  encodeFirst(type: ChangeType, object: CachedObject): Buffer {
    return this.#frame(type, object, true);
  }

  bookmark(revision: number, initialEventsEnd: boolean): Buffer {
    const metadata = {resourceVersion: String(revision), ...(initialEventsEnd ? {annotations: {[this.initialEventsEnd]: 'true'}} : {})};
    const {apiVersion, type} = this.version;
    const row = {kind: type.kind, apiVersion, metadata} as unknown as ApiObject;
    return line({type: 'BOOKMARK', object: tableOf([row], this.version, {resourceVersion: String(revision)}, this.representation, false)});
  }

  error(status: Status): Buffer {
    return line({type: 'ERROR', object: status});
  }

  #frame(type: ChangeType, cached: CachedObject, withColumns: boolean): Buffer {
    const object = convertTo(cached.object(), this.version);
    const metadata = {resourceVersion: String(cached.revision)};
    return line({type, object: tableOf([object], this.version, metadata, this.representation, withColumns)});
  }
}

function line(event: object): Buffer {
  return Buffer.from(`${encodeJson(event)}\n`);
}
