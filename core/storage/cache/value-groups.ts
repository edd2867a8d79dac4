import type {CachedEntry} from './cached-entry.js';
import {createTree, type SortedTree} from './sorted-tree.js';

/**
 * Objects grouped by a value. A value of a single object, as of a `uid`, takes little more than a slot of the map.
 */
export class ValueGroups {
  readonly #groups = new Map<string, CachedEntry | SortedTree>();

  /** How many objects have a value. */
  count(value: string): number {
    const group = this.#groups.get(value);
    return group === undefined ? 0 : isTree(group) ? group.size : 1;
  }

  /** The objects with a value, in order of their keys. Must not be changed. */
  entries(value: string): SortedTree {
    const group = this.#groups.get(value);
    if (group === undefined) return nothing;
    return isTree(group) ? group : treeOf(group);
  }

  /** Adds an object, or replaces its previous state with the same value. */
  set(value: string, entry: CachedEntry): void {
    const group = this.#groups.get(value);
    if (group === undefined) this.#groups.set(value, entry);
    else if (isTree(group)) group.set(entry.key, entry);
    else if (group.key === entry.key) this.#groups.set(value, entry);
    else this.#groups.set(value, treeOf(group, entry));
  }

  /** Removes the object with a key from those with a value. */
  delete(value: string, key: string): void {
    const group = this.#groups.get(value);
    if (group === undefined) return;
    if (!isTree(group)) {
      if (group.key === key) this.#groups.delete(value);
      return;
    }
    group.delete(key);
    if (group.isEmpty) this.#groups.delete(value);
  }
}

const nothing = createTree();

function isTree(group: CachedEntry | SortedTree): group is SortedTree {
  return 'forRange' in group;
}

function treeOf(...entries: readonly CachedEntry[]): SortedTree {
  const tree = createTree();
  for (const entry of entries) tree.set(entry.key, entry);
  return tree;
}
