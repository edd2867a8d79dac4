import {apiVersionOf, type JsonObject, type NamingProfile} from '../../../sdk/index.js';
import {encodeJson, encodePretty} from '../../api/codec/json.js';
import {encodeYaml} from '../../api/codec/yaml.js';
import {encodeObject} from '../../api/protobuf/envelope.js';
import {partialObjectMetadata} from '../../api/table/partial-object-metadata.js';
import type {ResourceTypeVersion} from '../../api/types/resource-type.js';
import type {ResultObject} from '../../registry/result-object.js';
import type {Exchange} from '../exchange.js';
import {respond} from '../respond.js';
import {negotiateForm, type Representation} from './form.js';
import {tableOf} from './table.js';

/** Finds out in which form the client wants one object. @throws 406 */
export function negotiateObject(exchange: Exchange, version: ResourceTypeVersion, naming: NamingProfile): Representation {
  return negotiateForm(exchange, version, naming, 'object');
}

/** Writes one object. Plain JSON is the bytes that are already there. */
export async function sendObject(exchange: Exchange, code: number, result: ResultObject, version: ResourceTypeVersion, representation: Representation): Promise<void> {
  const {offer, pretty, contentType} = representation;
  if (offer.form === 'json' && !pretty) {
    return respond(exchange, code, contentType, result.bytes);
  }
  await respond(exchange, code, contentType, renderObject(result, version, representation));
}

function renderObject(result: ResultObject, version: ResourceTypeVersion, representation: Representation): Buffer {
  const {offer, pretty} = representation;
  if (offer.form === 'protobuf') return encodeObject(result.object() as unknown as JsonObject, version.kind, version.schema.node);
  if (offer.form === 'yaml') return Buffer.from(encodeYaml(result.object()));
  return encodeDocument(documentOf(result, version, representation), pretty);
}

function documentOf(result: ResultObject, version: ResourceTypeVersion, representation: Representation): unknown {
  const {offer} = representation;
  const object = result.object();
  if (offer.form === 'json') return object;
  const apiVersion = apiVersionOf({group: offer.group!, version: offer.version!});
  if (offer.form === 'metadata') return partialObjectMetadata(object, apiVersion);
  return tableOf([object], version, {resourceVersion: object.metadata.resourceVersion ?? ''}, representation);
}

export function encodeDocument(document: unknown, pretty: boolean): Buffer {
  return Buffer.from(pretty ? encodePretty(document) : `${encodeJson(document)}\n`);
}
