import {apiVersionOf, type ApiObject, type JsonObject, type ListMeta, type NamingProfile} from '../../../sdk/index.js';
import type {CborCodec} from '../../api/cbor/cbor-codec.js';
import {encodeJson} from '../../api/codec/json.js';
import {partialObjectMetadata, partialObjectMetadataList} from '../../api/table/partial-object-metadata.js';
import {listEncoder} from '../../api/protobuf/encode-list.js';
import {metaNode} from '../../api/protobuf/encode-meta.js';
import type {SchemaNode} from '../../api/schema/schema-node.js';
import type {ResourceTypeVersion} from '../../api/types/resource-type.js';
import type {RequestTask} from '../../registry/request-task.js';
import type {ServedVersion} from '../../registry/served-version.js';
import {listMetadata} from '../../registry/read/list-metadata.js';
import type {ObjectList} from '../../registry/resource.js';
import type {CachedObject} from '../../storage/cache/cached-object.js';
import type {ListResult} from '../../storage/read/list-query.js';
import {cborMediaType} from '../../api/negotiation/cbor-media-types.js';
import type {AuthenticatedExchange} from '../request/stages.js';
import {requireAnswerRoom, smallAnswer} from '../response/answer-room.js';
import {buffersOf} from '../response/response-buffers.js';
import {acceptsGzip, gzipThreshold, respondPacked, respondParts, respondPieces} from '../response/respond.js';
import {negotiateForm, type FormOffer, type Representation} from './form.js';
import {framed} from './list-pieces.js';
import {saysTypeOfItems, typelessFrame, withoutType} from './typeless-items.js';
import {allOf, lengthOfRest, restOf, startOf, type MemberList} from './member-list.js';
import {hasTable} from './object.js';
import {KeptMembers} from './kept-members.js';
import {PackedBlocks} from './packed-blocks.js';
import {packedList} from './packed-list.js';
import {rowsOf, tableOf} from './table.js';

const empty = Buffer.alloc(0);
/** Bytes of a list that are made before it is sent. */
const madeAtOnce = 2 * 1024 * 1024;
/** The same of one that is compressed in blocks. */
const packedAtOnce = 8 * 1024 * 1024;
/** Bytes that the compressed blocks of lists in these forms hold. */
const keptAsJson = 16 * 1024 * 1024;
const keptAsProtobuf = 8 * 1024 * 1024;
/** Bytes that members in the binary form hold, with what they were made of. */
const keptAsMembers = 12 * 1024 * 1024;
/** Of all lists: states of objects are the same for whoever asks. */
const blocks = {json: new PackedBlocks<CachedObject>(keptAsJson), protobuf: new PackedBlocks<CachedObject>(keptAsProtobuf)};
/** Members in the binary form, of all lists. */
const binaryMembers = new KeptMembers<CachedObject>(keptAsMembers);
/** Number of items after which a list in the stored form checks whether other requests should go first. In other forms each may take long. */
const storedItemsBetweenLooks = 32;
/** The same where each may have to be made, which takes some hundredths of a millisecond. */
const keptItemsBetweenLooks = 8;

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
  const {offer, pretty} = representation;
  if (result.made) {
    const {made} = result;
    const stored = {kind: served.type.listKind, apiVersion: served.version.apiVersion, metadata: {resourceVersion: ''}, items: made};
    exchange.audit?.shownAs(() => [Buffer.from(encodeJson(stored))]);
    return sendMembers(exchange, representation, memberList(made, {resourceVersion: ''}, served, representation, exchange.cbor));
  }
  if (hasMore(result, smallAnswer)) requireAnswerRoom(exchange);
  const preparing = served.view.prepare(result.items);
  if (preparing) await preparing;
  exchange.working();
  const isStoredForm = offer.form === 'json' && !pretty;
  if (!isStoredForm && exchange.audit?.keepsResponses && offer.mediaType !== 'application/json') {
    const {parts} = await allOf(exchange.task, storedList(result, served));
    exchange.audit.shownAs(() => buffersOf(parts));
  }
  const {view} = served;
  const made = () =>
    memberList<CachedObject>(result.items, listMetadata(result), served, representation, exchange.cbor, (item) => view.convertedNow(item));
  const list = isStoredForm ? storedList(result, served) : offer.form === 'protobuf' ? keepingMembers(made(), served) : made();
  const kept = isStoredForm ? blocks.json : offer.form === 'protobuf' ? blocks.protobuf : undefined;
  if (kept && acceptsGzip(exchange) && !exchange.audit?.keepsResponses && mayBePacked(result, list)) {
    const isStored = (item: CachedObject) => view.convertedNow(item) === item;
    const packed = packedList(exchange.task, list, {blocks: kept, isStored}, (length) => (exchange.answerBytes = length));
    return respondPacked(exchange, 200, representation.contentType, packed);
  }
  return sendMembers(exchange, representation, list);
}

/**
 * Writes the members. Of a long list only the first are made before it is sent, the others as their client reads: a piece at a time is in memory. An audit log that keeps
 * what was answered needs all of it at once.
 */
async function sendMembers<T>(exchange: AuthenticatedExchange, {contentType}: Representation, list: MemberList<T>): Promise<void> {
  const {task} = exchange;
  const {parts, length, next} = await startOf(task, list, exchange.audit?.keepsResponses ? Infinity : madeAtOnce);
  const held = list.isShared ? 0 : length;
  if (next === list.items.length) {
    const around = list.envelope?.(length);
    if (!around) return respondParts(exchange, 200, contentType, parts, length, held);
    const {before, behind} = around;
    const all = {...parts, head: Buffer.concat([before, parts.head]), tail: Buffer.concat([parts.tail, behind])};
    return respondParts(exchange, 200, contentType, all, before.length + length + behind.length, held);
  }
  // A length that stands before the members has to be known, though they are made again later.
  const whole = list.needsLength ? length + (await lengthOfRest(task, list, next)) : undefined;
  const {before, behind} = (whole !== undefined && list.envelope?.(whole)) || {before: empty, behind: empty};
  await respondPieces(exchange, 200, contentType, {
    first: {...parts, head: Buffer.concat([before, parts.head])},
    rest: (bytes) => restOf(task, list, next, bytes, behind),
    length: whole === undefined ? undefined : before.length + whole + behind.length,
    held,
  });
}

/** The version of the metadata group that a client has asked for. */
function metaVersion({group, version}: FormOffer): string {
  return apiVersionOf({group: group!, version: version!});
}

/** Shorter lists are not compressed, or otherwise. Where the length stands before the members, all blocks are made before the first is sent. */
function mayBePacked(result: ListResult, {envelope}: MemberList<CachedObject>): boolean {
  return hasMore(result, gzipThreshold) && !(envelope && hasMore(result, packedAtOnce));
}

/** Whether the members have more bytes than that, as they are stored. */
function hasMore({items}: ListResult, most: number): boolean {
  let bytes = 0;
  for (const item of items) if ((bytes += item.bytes.length) > most) return true;
  return false;
}

/** Objects in the form in which they are stored: their bytes as they are, or without what says their type. Those of another version are converted. */
function storedList(result: ListResult, {version, type, view}: ServedVersion): MemberList<CachedObject> {
  const document = {kind: type.listKind, apiVersion: version.apiVersion, metadata: listMetadata(result)};
  const frame = framed(document, 'items', result.items.length === 0, {mediaType: 'application/json', pretty: false});
  const shown = (item: CachedObject) => view.convertedNow(item);
  return {
    items: result.items,
    frame:
      saysTypeOfItems(version) || result.items.length === 0
        ? {...frame, item: (item) => shown(item).bytes}
        : typelessFrame(frame, version, shown),
    itemsBetweenLooks: storedItemsBetweenLooks,
    isShared: true,
    needsLength: true,
  };
}

/** A list in the binary form. What is converted for a version, or brought up to date, is not kept. */
function keepingMembers(list: MemberList<CachedObject>, {view}: ServedVersion): MemberList<CachedObject> {
  const {frame} = list;
  const item = (stored: CachedObject, task: RequestTask): Buffer | Promise<Buffer> => {
    if (view.convertedNow(stored) !== stored) return frame.item(stored, task);
    const kept = binaryMembers.get(stored);
    if (kept) return kept;
    const made = frame.item(stored, task);
    if (!(made instanceof Promise)) binaryMembers.add(stored, made);
    return made;
  };
  return {...list, frame: {...frame, item}, itemsBetweenLooks: keptItemsBetweenLooks};
}

/** A list in any form but the stored one. @param converted the object of a stored member; without, the members are objects */
function memberList<T>(
  items: readonly T[],
  metadata: ListMeta,
  {version, type}: ServedVersion,
  representation: Representation,
  cbor: CborCodec | undefined,
  converted?: (item: T) => {object(): ApiObject},
): MemberList<T> {
  const {offer, pretty} = representation;
  const objectOf = converted ? (item: T) => converted(item).object() : (item: T) => item as ApiObject;
  if (offer.isProtobuf) {
    const encoder =
      offer.form === 'metadata'
        ? listEncoder(metadata, {apiVersion: metaVersion(offer), kind: 'PartialObjectMetadataList'}, metaNode('PartialObjectMetadata'))
        : listEncoder(metadata, {apiVersion: version.apiVersion, kind: type.listKind}, version.schema.node);
    const frame = {
      head: encoder.head,
      separator: empty,
      tail: empty,
      item: (item: T) => encoder.item(objectOf(item) as unknown as JsonObject),
    };
    return {items, frame, itemsBetweenLooks: 1, envelope: encoder.envelope, needsLength: true};
  }
  const around = (document: object, member: string, show: (object: ApiObject) => unknown, node?: SchemaNode): MemberList<T> => {
    if (cbor && offer.mediaType === cborMediaType) {
      const head = cbor.listHead(document, member, items.length);
      return {
        items,
        frame: {head, separator: empty, tail: empty, item: (item) => cbor.item(show(objectOf(item)), node)},
        itemsBetweenLooks: 1,
      };
    }
    const frame = framed(document, member, items.length === 0, {mediaType: offer.mediaType, pretty});
    return {items, frame: {...frame, item: (item, task) => frame.item(show(objectOf(item)), task)}, itemsBetweenLooks: 1};
  };
  if (offer.form === 'table') {
    const {rows: _none, ...table} = tableOf([], version, metadata, representation);
    const row = rowsOf(version, representation);
    return around(table, 'rows', row);
  }
  if (offer.form === 'metadata') {
    const apiVersion = metaVersion(offer);
    const {items: _none, ...document} = partialObjectMetadataList([], metadata, apiVersion);
    return around(document, 'items', (object) => partialObjectMetadata(object, apiVersion));
  }
  const show = saysTypeOfItems(version) ? (object: ApiObject) => object : withoutType;
  return around({kind: type.listKind, apiVersion: version.apiVersion, metadata}, 'items', show, version.schema.node);
}
