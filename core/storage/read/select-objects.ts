import {readable, type CachedEntry} from '../cache/cached-entry.js';
import {StorageError, type UnreadableObject} from '../storage-error.js';
import type {ObjectSelector} from './object-selector.js';
import type {SortedTree} from '../cache/sorted-tree.js';

/** Most objects of which the selected ones are found in one turn of the event loop: each may have to be parsed. */
export const comparedAtOnce = 2000;

/** A part of the result of a query. */
export interface SelectedPart {
  readonly items: CachedEntry[];
  /** Whether there are more after the last item. */
  readonly more: boolean;
}

/** First key after all keys of a namespace: `/` is followed by `0`. */
const afterSlash = '0';
const lastKey = '\uffff';
const stop = {break: 0};
/** Objects that cannot be read, that an error names. */
const reportedFaults = 100;

/**
 * The selected objects of a state in order of their keys. For selectors on a view it returns all objects in the range of keys, and
 * `selectInPieces` filters them.
 *
 * @param tree the state, or the part of it found by an index
 * @param after items start after this key; undefined for the first chunk
 * @param limit maximum items; Infinity for all
 * @param byKeys compares nothing but the keys
 * @throws StorageError `Unreadable`, StoreError `Corrupt` if the content of one of them is unavailable
 */
export function selectObjects(
  tree: SortedTree,
  selector: ObjectSelector,
  namespaced: boolean,
  after: string | undefined,
  limit: number,
  byKeys = selector.view !== undefined,
): SelectedPart {
  if (selector.impossible) return {items: [], more: false};
  const isSelected = comparison(selector, byKeys);
  const key = selector.key(namespaced);
  if (key !== undefined) {
    const entry = after !== undefined && key <= after ? undefined : tree.get(key);
    return {items: entry && isSelected(entry) ? [readable(entry)] : [], more: false};
  }
  const items: CachedEntry[] = [];
  let more = false;
  const [low, high] = keyRange(selector.namespace, after);
  const plain = (!selector.filtered || byKeys) && selector.name === undefined;
  const faults: unknown[] = [];
  tree.forRange(low, high, false, (_key, entry) => {
    if (entry.fault !== undefined) {
      if (selector.matchesKey(entry)) faults.push(entry.fault);
      return faults.length > reportedFaults ? stop : undefined;
    }
    if (!plain && !isSelected(entry)) return undefined;
    if (items.length >= limit) {
      more = true;
      return stop;
    }
    items.push(entry);
    return undefined;
  });
  if (faults.length > 0) throw faultOf(faults);
  return {items, more};
}

/** What is left to compare of an object in the range of keys, which says its namespace. */
function comparison(selector: ObjectSelector, byKeys: boolean): (entry: CachedEntry) => boolean {
  if (byKeys) return (entry) => selector.matchesKey(entry);
  return selector.name === undefined ? (entry) => selector.matchesSelectors(entry) : (entry) => selector.matches(entry);
}

/** How many objects a namespace has, or the whole state, whose keys come after one. Does not look at the objects. */
export function countObjects(tree: SortedTree, namespace: string | undefined, after?: string): number {
  if (namespace === undefined && after === undefined) return tree.size;
  const [low, high] = keyRange(namespace, after);
  return tree.forRange(low, high, false);
}

/** Lowest key and the key before which the range ends. */
function keyRange(namespace: string | undefined, after: string | undefined): [string, string] {
  const start = namespace === undefined ? '' : `${namespace}/`;
  const next = after === undefined ? '' : `${after}\0`;
  const high = namespace === undefined ? lastKey : `${namespace}${afterSlash}`;
  const low = next > start ? next : start;
  return low < high ? [low, high] : [high, high];
}

/** The first fault, with what it says of the others. */
function faultOf([first, ...others]: readonly unknown[]): unknown {
  if (!(first instanceof StorageError) || first.failure.code !== 'Unreadable' || others.length === 0) return first;
  const named = others.flatMap((fault): UnreadableObject[] =>
    fault instanceof StorageError && fault.failure.code === 'Unreadable' ? [{name: fault.failure.name, reason: fault.failure.reason}] : [],
  );
  return new StorageError({...first.failure, others: named}, {cause: first.cause});
}
