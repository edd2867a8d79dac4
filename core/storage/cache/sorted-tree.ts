import sorted from 'sorted-btree';
import type {CachedEntry} from './cached-entry.js';

/** Entries ordered by key. `clone()` takes constant time; copies share what neither has changed since. */
export type SortedTree = sorted.default<string, CachedEntry>;

/** An empty tree ordered as strings compare. */
export function createTree(): SortedTree {
  return new sorted.default<string, CachedEntry>(undefined, compareKeys);
}

function compareKeys(a: string, b: string): number {
  return a < b ? -1 : a === b ? 0 : 1;
}
