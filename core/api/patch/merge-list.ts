import type {JsonObject, JsonValue} from '../../../sdk/index.js';
import {getMember} from '../json/get-member.js';
import {isJsonObject} from '../json/is-json-object.js';
import {directiveOf, newValue} from './patch-directives.js';
import {patchNotApplicable} from './patch-error.js';

/** Merges the patch of an item into the item. */
export type MergeItem = (item: JsonObject, patch: JsonObject) => JsonObject;

/** Tells items of a list apart: by their merge key, or by themselves in a list of scalars. */
type Identity = (item: JsonValue) => string;

/**
 * Merges a patch of a list into the list: items of scalars are united, objects with the same merge key are merged, `$patch`
 * in an item deletes it or replaces the whole list. Items of the patch keep its order, all others theirs.
 *
 * @param order the order that `$setElementOrder` demands
 * @throws StatusError 422 when items cannot be told apart
 */
export function mergeList(
  current: readonly JsonValue[],
  patch: readonly JsonValue[],
  mergeKey: string | undefined,
  mergeItem: MergeItem,
  order?: readonly JsonValue[],
): JsonValue[] {
  const items = [...current, ...patch];
  if (items.some((item) => Array.isArray(item))) throw patchNotApplicable('lists of lists cannot be merged');
  const objects = items.filter(isJsonObject).length;
  if (objects === 0) return mergeScalars(current, patch, order);
  if (objects < items.length) throw patchNotApplicable('a list that is merged must hold objects only or scalars only');
  if (mergeKey === undefined) throw patchNotApplicable('cannot merge lists without merge key');
  return mergeObjects(current as readonly JsonObject[], patch as readonly JsonObject[], mergeKey, mergeItem, order);
}

/** Puts the items of a list that no change concerns into the order that `$setElementOrder` demands. */
export function orderList(current: readonly JsonValue[], order: readonly JsonValue[], mergeKey: string | undefined): JsonValue[] {
  const identity = current.some(isJsonObject) ? keyIdentity(mergeKey) : scalarIdentity;
  return arrange(current, order, current, identity);
}

/** Takes scalars out of a list. */
export function deleteScalars(current: readonly JsonValue[], deletions: readonly JsonValue[]): JsonValue[] {
  const gone = new Set(deletions.map(scalarIdentity));
  return current.filter((item) => !gone.has(scalarIdentity(item)));
}

function scalarIdentity(item: JsonValue): string {
  // 1 and 1n are the same number.
  return typeof item === 'string' ? `"${item}` : String(item);
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
  const merged = new Map([...current, ...patch].map((item) => [scalarIdentity(item), item]));
  return arrange([...merged.values()], order ?? patch, current, scalarIdentity);
}

function mergeObjects(
  current: readonly JsonObject[],
  patch: readonly JsonObject[],
  mergeKey: string,
  mergeItem: MergeItem,
  order?: readonly JsonValue[],
): JsonValue[] {
  const identity = keyIdentity(mergeKey);
  const deleted = new Set<string>();
  const changes: JsonObject[] = [];
  let replace = false;
  for (const item of patch) {
    const directive = directiveOf(item);
    if (directive === 'replace') replace = true;
    else if (directive === 'delete') deleted.add(identity(item));
    else changes.push(item);
  }
  // With `$patch: replace` the other items of the patch are the list.
  if (replace) return changes.map(newValue);

  if (order !== undefined) checkOrder(changes, order, identity);
  const remaining = current.filter((item) => !deleted.has(identity(item)));
  const merged: JsonObject[] = [...remaining];
  const positions = firstPositions(merged, identity);
  for (const change of changes) {
    const position = positions.get(identity(change));
    if (position !== undefined) {
      merged[position] = mergeItem(merged[position]!, change);
    } else {
      positions.set(identity(change), merged.length);
      merged.push(mergeItem({}, change));
    }
  }
  return arrange(merged, order ?? changes, remaining, identity);
}

function firstPositions(items: readonly JsonValue[], identity: Identity): Map<string, number> {
  const positions = new Map<string, number>();
  for (const [position, item] of items.entries()) {
    const key = identity(item);
    if (!positions.has(key)) positions.set(key, position);
  }
  return positions;
}

/** What a patch changes must stand in the order it demands, in the same sequence. */
function checkOrder(patch: readonly JsonValue[], order: readonly JsonValue[], identity: Identity): void {
  let next = 0;
  for (const item of order) if (next < patch.length && identity(item) === identity(patch[next]!)) next++;
  if (next < patch.length) throw patchNotApplicable("the order of the items in the patch doesn't match its $setElementOrder list");
}

/**
 * Sorts items named in `order` by it and all others as they stood, then merges the two sequences: one of the others comes first
 * where it stood before the next ordered one in the list as it was.
 */
function arrange(
  items: readonly JsonValue[],
  order: readonly JsonValue[],
  previous: readonly JsonValue[],
  identity: Identity,
): JsonValue[] {
  const wanted = firstPositions(order, identity);
  const former = firstPositions(previous, identity);
  const place = (item: JsonValue, positions: ReadonlyMap<string, number>) => positions.get(identity(item)) ?? Infinity;
  const ordered = items.filter((item) => wanted.has(identity(item))).sort((a, b) => place(a, wanted) - place(b, wanted));
  const others = items.filter((item) => !wanted.has(identity(item))).sort((a, b) => place(a, former) - place(b, former));

  const result: JsonValue[] = [];
  let next = 0;
  for (const item of ordered) {
    const position = former.get(identity(item)) ?? -1;
    while (next < others.length && place(others[next]!, former) < position) result.push(others[next++]!);
    result.push(item);
  }
  return [...result, ...others.slice(next)];
}
