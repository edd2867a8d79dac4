import {apiVersionOf, type GroupVersionKind, type JsonObject, type JsonValue, type NamingProfile} from '../../../sdk/index.js';
import {encodeJson, encodePretty} from '../../api/codec/json.js';
import {encodePartialMetadata} from '../../api/protobuf/encode-meta.js';
import {encodeObject} from '../../api/protobuf/envelope.js';
import type {ObjectSchema} from '../../api/object-schema/object-schema.js';
import {partialObjectMetadata} from '../../api/table/partial-object-metadata.js';
import type {ResourceTypeVersion} from '../../api/types/resource-type.js';
import type {ResultObject} from '../../registry/result-object.js';
import {cborMediaType} from '../../api/negotiation/cbor-media-types.js';
import type {Exchange} from '../request/exchange.js';
import {respond} from '../response/respond.js';
import {negotiateForm, type Representation} from './form.js';
import {tableOf} from './table.js';
import {yamlBytes} from './yaml-bytes.js';

/** The kind of a returned object: a version of a type, or a separate kind without a Table (a Scale, a review). */
export type ObjectShape = ResourceTypeVersion | {readonly kind: GroupVersionKind; readonly schema: ObjectSchema};

/** Negotiates the form of one object. @throws 406 */
export function negotiateObject(exchange: Exchange, shape: ObjectShape, naming: NamingProfile): Representation {
  return negotiateForm(exchange, shape.schema, naming, isVersion(shape) && hasTable(shape) ? 'object' : 'bare');
}

function isVersion(shape: ObjectShape): shape is ResourceTypeVersion {
  return 'type' in shape;
}

/** Reviews and other operations cannot be shown as rows (docs/semantics/representation.md#tables). */
export function hasTable({type}: ResourceTypeVersion): boolean {
  return type.handler === undefined || type.handler.list !== undefined;
}

/** Writes one object. Plain JSON uses the existing bytes. */
export async function sendObject(
  exchange: Exchange,
  code: number,
  result: ResultObject,
  shape: ObjectShape,
  representation: Representation,
): Promise<void> {
  const {offer, pretty, contentType} = representation;
  if (offer.form === 'json' && !pretty) {
    return respond(exchange, code, contentType, result.bytes);
  }
  if (offer.mediaType !== 'application/json') exchange.audit?.shownAs(() => [result.bytes]);
  await respond(exchange, code, contentType, await renderObject(exchange, result, shape, representation));
}

function renderObject(
  exchange: Exchange,
  result: ResultObject,
  shape: ObjectShape,
  representation: Representation,
): Buffer | Promise<Buffer> {
  const {offer} = representation;
  if (offer.form === 'cbor') return exchange.cbor!.encode(result.object(), shape.schema.node);
  if (offer.isProtobuf && offer.form === 'metadata')
    return encodePartialMetadata(result.object(), {group: offer.group!, version: offer.version!});
  if (offer.form === 'protobuf') return encodeObject(result.object() as unknown as JsonObject, shape.kind, shape.schema.node);
  return encodeDocument(exchange, documentOf(result, shape, representation), representation);
}

function documentOf(result: ResultObject, shape: ObjectShape, representation: Representation): unknown {
  const {offer} = representation;
  const object = result.object();
  if (offer.as === undefined || !isVersion(shape)) return object;
  const apiVersion = apiVersionOf({group: offer.group!, version: offer.version!});
  if (offer.form === 'metadata') return partialObjectMetadata(object, apiVersion);
  return tableOf([object], shape, {resourceVersion: object.metadata.resourceVersion ?? ''}, representation);
}

/** A document that is not typed. */
function encodeDocument({task, cbor}: Exchange, document: unknown, {offer, pretty}: Representation): Buffer | Promise<Buffer> {
  if (offer.mediaType === 'application/yaml') return yamlBytes(document as JsonValue, task);
  if (offer.mediaType === cborMediaType) return cbor!.encode(document);
  return Buffer.from(pretty ? encodePretty(document) : `${encodeJson(document)}\n`);
}
