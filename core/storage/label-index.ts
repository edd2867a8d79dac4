import type {LabelSelector} from '../api/selectors/label-selector.js';
import type {CachedEntry} from './cached-entry.js';
import {createTree, type SortedTree} from './sorted-tree.js';
import type {WindowEvent} from './window-event.js';

/** Types with fewer objects are scanned: that takes some microseconds. */
const minimumObjects = 256;
/** Label keys that are indexed at once for one type. */
const maximumKeys = 8;
/** An index that nobody asked for so long is dropped. */
const idleMillis = 10 * 60_000;

interface KeyIndex {
  readonly values: Map<string, SortedTree>;
  usedAt: number;
}

/**
 * Finds objects by the value of a label without looking at all of them. A label key is indexed when an equality selector
 * names it for the second time, and for as long as it is used.
 */
export class LabelIndex {
  private readonly keys = new Map<string, KeyIndex>();
  private readonly seen = new Set<string>();

  /**
   * The objects that can match a selector, in order of their keys; undefined when all must be looked at.
   *
   * @param tree the current state
   * @param now milliseconds since 1970
   */
  candidates(selector: LabelSelector, tree: SortedTree, now: number): SortedTree | undefined {
    if (tree.size < minimumObjects) return undefined;
    let best: SortedTree | undefined;
    for (const {key, operator, values} of selector.requirements) {
      const [value] = values;
      const demandsOne = operator === '=' || operator === '==' || (operator === 'in' && values.length === 1);
      if (!demandsOne || value === undefined) continue;
      const index = this.keys.get(key) ?? this.begin(key, tree, now);
      if (!index) continue;
      index.usedAt = now;
      const found = index.values.get(value) ?? nothing;
      if (!best || found.size < best.size) best = found;
    }
    return best;
  }

  /** Follows a change of the state. */
  apply({key, object, previous}: WindowEvent): void {
    for (const [label, {values}] of this.keys) {
      const before = previous && labelValue(previous, label);
      const after = object && labelValue(object, label);
      if (before !== undefined && before !== after) remove(values, before, key);
      if (after !== undefined) insert(values, after, object!);
    }
  }

  trim(now: number): void {
    for (const [label, {usedAt}] of this.keys) if (usedAt < now - idleMillis) this.keys.delete(label);
  }

  private begin(label: string, tree: SortedTree, now: number): KeyIndex | undefined {
    if (!this.seen.has(label)) {
      if (this.seen.size >= 64) this.seen.clear();
      this.seen.add(label);
      return undefined;
    }
    if (this.keys.size >= maximumKeys) return undefined;
    this.seen.delete(label);
    const index: KeyIndex = {values: new Map(), usedAt: now};
    tree.forEachPair((_key, entry) => {
      const value = labelValue(entry, label);
      if (value !== undefined) insert(index.values, value, entry);
    });
    this.keys.set(label, index);
    return index;
  }
}

const nothing = createTree();

function labelValue(entry: CachedEntry, label: string): string | undefined {
  const labels = entry.labels();
  return labels && Object.hasOwn(labels, label) ? labels[label] : undefined;
}

function insert(values: Map<string, SortedTree>, value: string, entry: CachedEntry): void {
  let tree = values.get(value);
  if (!tree) values.set(value, (tree = createTree()));
  tree.set(entry.key, entry);
}

function remove(values: Map<string, SortedTree>, value: string, key: string): void {
  const tree = values.get(value);
  tree?.delete(key);
  if (tree?.isEmpty) values.delete(value);
}
