import type {JsonObject, JsonValue} from '../../../sdk/index.js';
import {getMember} from '../json/get-member.js';
import {isJsonObject} from '../json/is-json-object.js';
import {directiveOf, newValue} from './patch-directives.js';
import {patchNotApplicable} from './patch-error.js';

/** Merges the patch of an item into the item. */
export type MergeItem = (item: JsonObject, patch: JsonObject) => JsonObject;

/** What distinguishes the items of a list: their merge key, or the items themselves in a list of scalars. */
type Identity = (item: JsonValue) => Scalar;
type Scalar = string | number | bigint | boolean | null | undefined;

/**
 * Merges a patch of a list into the list: scalars are united, objects with the same merge key are merged, and `$patch` in an item deletes
 * that item or replaces the whole list. Items of the patch keep the order of the patch, all others their own.
 *
 * @param order the order requested by `$setElementOrder`
 * @throws StatusError 422 if items cannot be told apart
 */
export function mergeList(
  current: readonly JsonValue[],
  patch: readonly JsonValue[],
  mergeKey: string | undefined,
  mergeItem: MergeItem,
  order?: readonly JsonValue[],
): JsonValue[] {
  const isList = (item: JsonValue) => Array.isArray(item);
  if (current.some(isList) || patch.some(isList)) throw patchNotApplicable('lists of lists cannot be merged');
  const objects = countObjects(current) + countObjects(patch);
  if (objects === 0) return mergeScalars(current, patch, order);
  if (objects < current.length + patch.length) throw patchNotApplicable('a list that is merged must hold objects only or scalars only');
  if (mergeKey === undefined) throw patchNotApplicable('cannot merge lists without merge key');
  return mergeObjects(current as readonly JsonObject[], patch as readonly JsonObject[], mergeKey, mergeItem, order);
}

function countObjects(items: readonly JsonValue[]): number {
  let count = 0;
  for (const item of items) if (isJsonObject(item)) count++;
  return count;
}

/** Reorders a list without other changes, as requested by `$setElementOrder`. */
export function orderList(current: readonly JsonValue[], order: readonly JsonValue[], mergeKey: string | undefined): JsonValue[] {
  const identity = current.some(isJsonObject) ? keyIdentity(mergeKey) : scalarIdentity;
  return arrange(current, order, current, identity);
}

/** Removes scalars from a list. */
export function deleteScalars(current: readonly JsonValue[], deletions: readonly JsonValue[]): JsonValue[] {
  const gone = new Set(deletions.map(scalarIdentity));
  return current.filter((item) => !gone.has(scalarIdentity(item)));
}

function scalarIdentity(item: JsonValue): Scalar {
  // 1 and 1n are the same number.
  if (typeof item === 'bigint' && BigInt(Number(item)) === item) return Number(item);
  return item as Scalar;
}

function keyIdentity(mergeKey: string | undefined): Identity {
  if (mergeKey === undefined) throw patchNotApplicable('cannot merge lists without merge key');
  return (item) => {
    const key = isJsonObject(item) ? getMember(item, mergeKey) : undefined;
    if (key === undefined || key === null)
      throw patchNotApplicable(`an item of a list does not contain the declared merge key: ${mergeKey}`);
    if (typeof key === 'object') throw patchNotApplicable(`the merge key ${mergeKey} of an item is no scalar`);
    return scalarIdentity(key);
  };
}

function mergeScalars(current: readonly JsonValue[], patch: readonly JsonValue[], order?: readonly JsonValue[]): JsonValue[] {
  if (order !== undefined) checkOrder(patch, order, scalarIdentity);
  const merged = new Map<Scalar, JsonValue>();
  for (const item of current) merged.set(scalarIdentity(item), item);
  for (const item of patch) merged.set(scalarIdentity(item), item);
  const items = [...merged.values()];
  return isInOrder(items, order ?? patch) ? items : arrange(items, order ?? patch, current, scalarIdentity);
}

/** Whether different scalars are all named, and in their order: mostly they are. */
function isInOrder(items: readonly JsonValue[], order: readonly JsonValue[]): boolean {
  return items.length === order.length && items.every((item, index) => scalarIdentity(item) === scalarIdentity(order[index]!));
}

function mergeObjects(
  current: readonly JsonObject[],
  patch: readonly JsonObject[],
  mergeKey: string,
  mergeItem: MergeItem,
  order?: readonly JsonValue[],
): JsonValue[] {
  const identity = keyIdentity(mergeKey);
  const deleted = new Set<Scalar>();
  const changes: JsonObject[] = [];
  let replace = false;
  for (const item of patch) {
    const directive = directiveOf(item);
    if (directive === 'replace') replace = true;
    else if (directive === 'delete') deleted.add(identity(item));
    else changes.push(item);
  }
  // With `$patch: replace`, the other items of the patch become the list.
  if (replace) return changes.map(newValue);

  if (order !== undefined) checkOrder(changes, order, identity);
  const remaining = current.filter((item) => !deleted.has(identity(item)));
  const merged: JsonObject[] = [...remaining];
  const positions = firstPositions(merged, identity);
  for (const change of changes) {
    const key = identity(change);
    const position = positions.get(key);
    if (position !== undefined) {
      merged[position] = mergeItem(merged[position]!, change);
    } else {
      positions.set(key, merged.length);
      merged.push(mergeItem({}, change));
    }
  }
  return arrange(merged, order ?? changes, remaining, identity);
}

function firstPositions(items: readonly JsonValue[], identity: Identity): Map<Scalar, number> {
  const positions = new Map<Scalar, number>();
  for (let position = 0; position < items.length; position++) {
    const key = identity(items[position]!);
    if (!positions.has(key)) positions.set(key, position);
  }
  return positions;
}

/** The items of a patch must occur in its requested order, in the same sequence. */
function checkOrder(patch: readonly JsonValue[], order: readonly JsonValue[], identity: Identity): void {
  let next = 0;
  for (const item of order) if (next < patch.length && identity(item) === identity(patch[next]!)) next++;
  if (next < patch.length) throw patchNotApplicable("the order of the items in the patch doesn't match its $setElementOrder list");
}

/**
 * Sorts the items named in `order` accordingly and leaves all others in their order, then merges the two sequences: an unnamed item comes
 * first if it preceded the next named one in the original list.
 */
function arrange(
  items: readonly JsonValue[],
  order: readonly JsonValue[],
  previous: readonly JsonValue[],
  identity: Identity,
): JsonValue[] {
  const wanted = firstPositions(order, identity);
  const former = firstPositions(previous, identity);
  const ordered: Placed[] = [];
  const others: Placed[] = [];
  for (const item of items) {
    const key = identity(item);
    const place = wanted.get(key);
    const before = former.get(key);
    if (place === undefined) others.push({item, place: before ?? Infinity});
    else ordered.push({item, place, before: before ?? -1});
  }
  sortByPlace(ordered);
  sortByPlace(others);

  const result: JsonValue[] = [];
  let next = 0;
  for (const {item, before} of ordered) {
    while (next < others.length && others[next]!.place < before!) result.push(others[next++]!.item);
    result.push(item);
  }
  while (next < others.length) result.push(others[next++]!.item);
  return result;
}

/** An item with its sort position. */
interface Placed {
  readonly item: JsonValue;
  readonly place: number;
  /** Position of a named item in the original list; -1 for a new one. */
  readonly before?: number;
}

/** A stable sort by position. The items are usually in order already. */
function sortByPlace(items: Placed[]): void {
  for (let index = 1; index < items.length; index++) {
    if (items[index - 1]!.place > items[index]!.place) {
      items.sort((a, b) => (a.place < b.place ? -1 : a.place > b.place ? 1 : 0));
      return;
    }
  }
}
