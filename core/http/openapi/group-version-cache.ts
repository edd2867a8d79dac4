import type {Task} from '../../../sdk/index.js';
import type {GroupEntry, GroupVersionEntry} from '../../api/types/group-entry.js';

interface Kept<T> {
  readonly entry: GroupVersionEntry;
  readonly value: T;
}

/** What is derived from a group version, cached as long as its types do not change: a change of one does not affect the others. */
export class GroupVersionCache<T> {
  readonly #kept = new Map<string, Kept<T>>();
  readonly #make: (entry: GroupVersionEntry) => T;

  constructor(make: (entry: GroupVersionEntry) => T) {
    this.#make = make;
  }

  get(entry: GroupVersionEntry): T {
    const key = keyOf(entry);
    const kept = this.#kept.get(key);
    if (kept && isSame(kept.entry, entry)) return kept.value;
    const value = this.#make(entry);
    this.#kept.set(key, {entry, value});
    return value;
  }

  /** Values of all served group versions, in order; others are dropped. Yields to other work in between. */
  async all(entries: readonly GroupVersionEntry[], task: Pick<Task, 'yieldIfDue'>): Promise<T[]> {
    const served = new Set(entries.map(keyOf));
    for (const key of this.#kept.keys()) if (!served.has(key)) this.#kept.delete(key);
    const values: T[] = [];
    for (const entry of entries) {
      await task.yieldIfDue();
      values.push(this.get(entry));
    }
    return values;
  }
}

/** What is derived from all groups together, kept as long as the catalog answers the same ones: with thousands of them, to look whether each is as it was costs more than to send the answer. */
export class KeptForGroups<T> {
  #kept: {readonly groups: readonly GroupEntry[]; readonly value: T} | undefined;

  async get(groups: readonly GroupEntry[], make: () => Promise<T>): Promise<T> {
    if (this.#kept?.groups !== groups) this.#kept = {groups, value: await make()};
    return this.#kept.value;
  }
}

function isSame({types, aggregated}: GroupVersionEntry, other: GroupVersionEntry): boolean {
  return (
    aggregated === other.aggregated && types.length === other.types.length && types.every((type, index) => type === other.types[index])
  );
}

function keyOf({group, version}: GroupVersionEntry): string {
  return `${group}/${version}`;
}
