import {apiVersionOf, type ApiObject, type JsonObject, type ListMeta, type NamingProfile} from '../../../sdk/index.js';
import {encodeJson} from '../../api/codec/json.js';
import {partialObjectMetadata, partialObjectMetadataList} from '../../api/table/partial-object-metadata.js';
import {listEncoder} from '../../api/protobuf/encode-list.js';
import type {ResourceTypeVersion} from '../../api/types/resource-type.js';
import type {ServedVersion} from '../../registry/served-version.js';
import {listMetadata} from '../../registry/read/list-metadata.js';
import type {ObjectList} from '../../registry/resource.js';
import type {CachedObject} from '../../storage/cache/cached-object.js';
import type {ListResult} from '../../storage/read/list-query.js';
import type {AuthenticatedExchange} from '../request/stages.js';
import {requireAnswerRoom, smallAnswer} from '../response/answer-room.js';
import {respondParts} from '../response/respond.js';
import {negotiateForm, type Representation} from './form.js';
import {framed, type ListFrame} from './list-pieces.js';
import {hasTable} from './object.js';
import {rowsOf, tableOf} from './table.js';

const empty = Buffer.alloc(0);
/** Number of items after which a list in the stored form checks whether other requests should go first. In other forms each may take long. */
const storedItemsBetweenLooks = 32;

/** Negotiates the form of a list. @throws 406 */
export function negotiateList(exchange: AuthenticatedExchange, version: ResourceTypeVersion, naming: NamingProfile): Representation {
  return negotiateForm(exchange, version.schema, naming, hasTable(version) ? 'list' : 'bare');
}

/** Writes a list. Plain JSON joins the existing bytes of the items. */
export async function sendList(
  exchange: AuthenticatedExchange,
  result: ObjectList,
  served: ServedVersion,
  representation: Representation,
): Promise<void> {
  const {offer, pretty, contentType} = representation;
  if (result.made) {
    const {made} = result;
    const stored = {kind: served.type.listKind, apiVersion: served.version.apiVersion, metadata: {resourceVersion: ''}, items: made};
    exchange.audit?.shownAs(() => [Buffer.from(encodeJson(stored))]);
    return sendMembers(exchange, representation, memberList(made, {resourceVersion: ''}, served, representation));
  }
  if (isLarge(result)) requireAnswerRoom(exchange);
  const preparing = served.view.prepare(result.items);
  if (preparing) await preparing;
  exchange.working();
  const isStoredForm = offer.form === 'json' && !pretty;
  if (!isStoredForm && exchange.audit?.keepsResponses && offer.mediaType !== 'application/json') {
    const {parts} = await listParts(exchange, storedList(result, served));
    exchange.audit.shownAs(() => parts);
  }
  const {view} = served;
  if (isStoredForm) {
    const {parts, length} = await listParts(exchange, storedList(result, served));
    return respondParts(exchange, 200, contentType, parts, length);
  }
  const list = memberList<CachedObject>(result.items, listMetadata(result), served, representation, (item) => view.convertedNow(item));
  return sendMembers(exchange, representation, list);
}

async function sendMembers<T>(exchange: AuthenticatedExchange, {contentType}: Representation, list: MemberList<T>): Promise<void> {
  const {parts, length} = await listParts(exchange, list);
  return respondParts(exchange, 200, contentType, parts, length, length);
}

function isLarge({items}: ListResult): boolean {
  let bytes = 0;
  for (const item of items) if ((bytes += item.bytes.length) > smallAnswer) return true;
  return false;
}

/** The members of a list and how they are written. */
interface MemberList<T> {
  readonly items: readonly T[];
  readonly frame: ListFrame<T>;
  /** Number of items after which to check whether other requests should go first. */
  readonly itemsBetweenLooks: number;
  /** What the whole becomes, where more stands before and behind it. */
  readonly seal?: (parts: Buffer[], length: number) => number;
}

interface ListParts {
  readonly parts: Buffer[];
  readonly length: number;
}

/** Writes one member after the other. If there are many, or they are large, other requests get their turn in between. */
async function listParts<T>({task}: AuthenticatedExchange, {items, frame, itemsBetweenLooks, seal}: MemberList<T>): Promise<ListParts> {
  const {head, separator, tail} = frame;
  const parts: Buffer[] = [head];
  let length = head.length + tail.length;
  // No pairs of index and item: most of what a long list left to the garbage collector were those.
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index]!;
    if (index % itemsBetweenLooks === 0) {
      const turn = task.yieldIfDue();
      if (turn) await turn;
    }
    const made = frame.item(item, task);
    const part = made instanceof Promise ? await made : made;
    if (index > 0 && separator.length > 0) {
      parts.push(separator);
      length += separator.length;
    }
    parts.push(part);
    length += part.length;
  }
  parts.push(tail);
  return {parts, length: seal ? seal(parts, length) : length};
}

/** Objects in the form in which they are stored: their bytes as they are. Those of another version are converted. */
function storedList(result: ListResult, {version, type, view}: ServedVersion): MemberList<CachedObject> {
  const document = {kind: type.listKind, apiVersion: version.apiVersion, metadata: listMetadata(result)};
  const frame = framed(document, 'items', result.items.length === 0, {mediaType: 'application/json', pretty: false});
  return {
    items: result.items,
    frame: {...frame, item: (item) => view.convertedNow(item).bytes},
    itemsBetweenLooks: storedItemsBetweenLooks,
  };
}

/** A list in any form but the stored one. @param converted the object of a stored member; without, the members are objects */
function memberList<T>(
  items: readonly T[],
  metadata: ListMeta,
  {version, type}: ServedVersion,
  representation: Representation,
  converted?: (item: T) => {object(): ApiObject},
): MemberList<T> {
  const {offer, pretty} = representation;
  const objectOf = converted ? (item: T) => converted(item).object() : (item: T) => item as ApiObject;
  if (offer.form === 'protobuf') {
    const encoder = listEncoder(metadata, version);
    const frame = {
      head: encoder.head,
      separator: empty,
      tail: empty,
      item: (item: T) => encoder.item(objectOf(item) as unknown as JsonObject),
    };
    return {items, frame, itemsBetweenLooks: 1, seal: encoder.seal};
  }
  const around = (document: object, member: string, show: (object: ApiObject) => unknown): MemberList<T> => {
    const frame = framed(document, member, items.length === 0, {mediaType: offer.mediaType, pretty});
    return {items, frame: {...frame, item: (item, task) => frame.item(show(objectOf(item)), task)}, itemsBetweenLooks: 1};
  };
  if (offer.form === 'table') {
    const {rows: _none, ...table} = tableOf([], version, metadata, representation);
    const row = rowsOf(version, representation);
    return around(table, 'rows', row);
  }
  if (offer.form === 'metadata') {
    const apiVersion = apiVersionOf({group: offer.group!, version: offer.version!});
    const {items: _none, ...document} = partialObjectMetadataList([], metadata, apiVersion);
    return around(document, 'items', (object) => partialObjectMetadata(object, apiVersion));
  }
  return around({kind: type.listKind, apiVersion: version.apiVersion, metadata}, 'items', (object) => object);
}
