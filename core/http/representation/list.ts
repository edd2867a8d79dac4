import {apiVersionOf, type ApiObject, type JsonObject, type ListMeta, type NamingProfile} from '../../../sdk/index.js';
import {encodeJson} from '../../api/codec/json.js';
import {encodeYaml} from '../../api/codec/yaml.js';
import {partialObjectMetadataList} from '../../api/table/partial-object-metadata.js';
import {encodeList} from '../../api/protobuf/encode-list.js';
import type {ResourceTypeVersion} from '../../api/types/resource-type.js';
import type {ServedVersion} from '../../registry/served-version.js';
import {listMetadata} from '../../registry/read/list-metadata.js';
import type {ObjectList} from '../../registry/resource.js';
import type {ListResult} from '../../storage/read/list-query.js';
import type {Exchange} from '../request/exchange.js';
import {requireAnswerRoom, smallAnswer} from '../response/answer-room.js';
import {respond, respondParts} from '../response/respond.js';
import {negotiateForm, type Representation} from './form.js';
import {encodeDocument, hasTable} from './object.js';
import {tableOf} from './table.js';

const comma = Buffer.from(',');
const listEnd = Buffer.from(']}\n');
/** Number of items after which a list checks whether other requests should go first. */
const itemsBetweenLooks = 32;
/** For YAML, which takes many times as long, the number of bytes of stored objects. */
const yamlBytesBetweenLooks = 64 * 1024;

/** Negotiates the form of a list. @throws 406 */
export function negotiateList(exchange: Exchange, version: ResourceTypeVersion, naming: NamingProfile): Representation {
  return negotiateForm(exchange, version.schema, naming, hasTable(version) ? 'list' : 'bare');
}

/** Writes a list. Plain JSON joins the existing bytes of the items. */
export async function sendList(
  exchange: Exchange,
  result: ObjectList,
  served: ServedVersion,
  representation: Representation,
): Promise<void> {
  const {offer, pretty, contentType} = representation;
  if (result.made) {
    const json = {kind: served.type.listKind, apiVersion: served.version.apiVersion, metadata: {resourceVersion: ''}, items: result.made};
    exchange.audit?.shownAs(() => [Buffer.from(encodeJson(json))]);
    const bytes = renderObjects(result.made, {resourceVersion: ''}, served.version, representation);
    return respond(exchange, 200, contentType, bytes);
  }
  if (isLarge(result)) requireAnswerRoom(exchange);
  const preparing = served.view.prepare(result.items);
  if (preparing) await preparing;
  exchange.working();
  if (offer.form === 'json' && !pretty) {
    const {parts, length} = await listParts(exchange, result, served);
    return respondParts(exchange, 200, contentType, parts, length);
  }
  if (exchange.audit?.keepsResponses && offer.mediaType !== 'application/json') {
    const {parts} = await listParts(exchange, result, served);
    exchange.audit.shownAs(() => parts);
  }
  if (offer.form === 'yaml') {
    const {parts, length} = await yamlParts(exchange, result, served);
    return respondParts(exchange, 200, contentType, parts, length, length);
  }
  await respond(exchange, 200, contentType, renderList(result, served, representation));
}

function isLarge({items}: ListResult): boolean {
  let bytes = 0;
  for (const item of items) if ((bytes += item.bytes.length) > smallAnswer) return true;
  return false;
}

interface ListParts {
  readonly parts: Buffer[];
  readonly length: number;
}

/** Objects that are not stored in the requested form are converted here; if there are many, other requests get their turn in between. */
async function listParts({pace}: Exchange, result: ListResult, {version, type, view}: ServedVersion): Promise<ListParts> {
  const head = JSON.stringify({kind: type.listKind, apiVersion: version.apiVersion, metadata: listMetadata(result)});
  const parts: Buffer[] = [Buffer.from(`${head.slice(0, -1)},"items":[`)];
  let length = parts[0]!.length + listEnd.length;
  for (const [index, item] of result.items.entries()) {
    if (index % itemsBetweenLooks === 0) await pace.pause();
    const {bytes} = view.convertedNow(item);
    if (parts.length > 1) {
      parts.push(comma);
      length += 1;
    }
    parts.push(bytes);
    length += bytes.length;
  }
  parts.push(listEnd);
  return {parts, length};
}

/** The same as YAML: the items of a list follow one another, so each can be serialized separately. */
async function yamlParts({pace}: Exchange, result: ListResult, {version, type, view}: ServedVersion): Promise<ListParts> {
  const parts: Buffer[] = [];
  let length = 0;
  const add = (text: string) => {
    const part = Buffer.from(text);
    parts.push(part);
    length += part.length;
  };
  const {items} = result;
  add(encodeYaml({apiVersion: version.apiVersion, ...(items.length === 0 ? {items: []} : {})}));
  if (items.length > 0) add('items:\n');
  let bytes = 0;
  for (const item of items) {
    const converted = view.convertedNow(item);
    add(encodeYaml([converted.object()]));
    if ((bytes += converted.bytes.length) < yamlBytesBetweenLooks) continue;
    bytes = 0;
    await pace.pause();
  }
  add(encodeYaml({kind: type.listKind, metadata: listMetadata(result)}));
  return {parts, length};
}

function renderList(result: ListResult, {version, view}: ServedVersion, representation: Representation): Buffer {
  const objects = result.items.map((item) => view.convertedNow(item).object());
  return renderObjects(objects, listMetadata(result), version, representation);
}

function renderObjects(
  objects: readonly ApiObject[],
  metadata: ListMeta,
  version: ResourceTypeVersion,
  representation: Representation,
): Buffer {
  const {offer} = representation;
  if (offer.form === 'protobuf') return encodeList(objects as unknown as readonly JsonObject[], metadata, version);
  if (offer.form === 'table') return encodeDocument(tableOf(objects, version, metadata, representation), representation);
  if (offer.form === 'metadata') {
    const apiVersion = apiVersionOf({group: offer.group!, version: offer.version!});
    return encodeDocument(partialObjectMetadataList(objects, metadata, apiVersion), representation);
  }
  const list = {kind: version.type.listKind, apiVersion: version.apiVersion, metadata, items: objects};
  return encodeDocument(list, representation);
}
