import type {FieldSelector} from '../../api/selectors/field-selector.js';
import type {LabelSelector} from '../../api/selectors/label-selector.js';
import type {Task} from '../../../sdk/index.js';
import {readable, type CachedEntry} from './cached-entry.js';
import type {SortedTree} from './sorted-tree.js';
import {ValueGroups} from './value-groups.js';
import type {WindowEvent} from './window-event.js';

/** Types with fewer objects are scanned: that takes some microseconds. */
const minimumObjects = 256;
/** An index of more objects is made in turns, and used once it has all: each object may have to be parsed. */
const maximumAtOnce = 2000;
/** Objects taken in between two looks at the clock. */
const betweenLooks = 32;
/** Maximum number of labels and fields indexed at the same time for one type. */
const maximumIndexes = 8;
/** Maximum number of labels and fields remembered as named once. */
const maximumSeen = 64;
/** An index that has not been used for this long is dropped. */
const idleMillis = 10 * 60_000;

/** The conditions of a query that an index may help with. */
export interface IndexedSelectors {
  readonly labelSelector: LabelSelector;
  readonly fieldSelector: FieldSelector;
}

/** A label or selectable field by which objects are grouped. */
interface Indexed {
  readonly kind: 'label' | 'field';
  readonly name: string;
}

interface Index extends Indexed {
  readonly groups: ValueGroups;
  /** Milliseconds since 1970. */
  usedAt: number;
  /** Whether it has all objects. */
  isWhole: boolean;
}

/**
 * Finds objects by the value of a label or field without looking at all of them. A label or field is indexed when an
 * equality selector names it for the second time, for as long as it is used. Name and namespace need no index: they are the key.
 */
export class ValueIndex {
  readonly #indexes = new Map<string, Index>();
  readonly #seen = new Set<string>();
  readonly #newTask: () => Task;

  /** @param newTask for an index that is made in turns */
  constructor(newTask: () => Task) {
    this.#newTask = newTask;
  }

  /** How many labels and fields are indexed. */
  get size(): number {
    return this.#indexes.size;
  }

  /**
   * The objects that may match a query, in order of their keys: those of the most selective indexed condition. The caller must
   * test the other conditions. Undefined if all objects must be tested.
   *
   * @param tree the current state
   * @param now milliseconds since 1970
   */
  candidates({labelSelector, fieldSelector}: IndexedSelectors, tree: SortedTree, now: number): SortedTree | undefined {
    if (tree.size < minimumObjects) return undefined;
    let best: {groups: ValueGroups; value: string; count: number} | undefined;
    const consider = (kind: Indexed['kind'], name: string, value: string) => {
      const groups = this.#groupsBy({kind, name}, tree, now);
      if (!groups) return;
      const count = groups.count(value);
      if (!best || count < best.count) best = {groups, value, count};
    };
    for (const {key, operator, values} of labelSelector.requirements) {
      const [value] = values;
      const demandsOne = operator === '=' || operator === '==' || (operator === 'in' && values.length === 1);
      if (demandsOne && value !== undefined) consider('label', key, value);
    }
    for (const {field, operator, value} of fieldSelector.requirements) {
      if (operator === '=' && field !== 'metadata.name' && field !== 'metadata.namespace') consider('field', field, value);
    }
    return best?.groups.entries(best.value);
  }

  /** Follows a change of the state. */
  apply({key, object, previous}: WindowEvent): void {
    for (const [id, index] of this.#indexes) {
      try {
        const before = previous && valueOf(previous, index);
        const after = object && valueOf(object, index);
        if (before !== undefined && before !== after) index.groups.delete(before, key);
        if (after !== undefined) index.groups.set(after, object!);
      } catch {
        // The change itself is valid. A query for the unreadable value gets the error when it scans all objects.
        this.#indexes.delete(id);
      }
    }
  }

  /** Drops the indexes of fields: their values are computed differently from now on. */
  forgetFields(): void {
    for (const [id, {kind}] of this.#indexes) if (kind === 'field') this.#indexes.delete(id);
  }

  /** Drops indexes that have not been used lately. `now` in milliseconds since 1970. */
  trim(now: number): void {
    for (const [id, {usedAt}] of this.#indexes) if (usedAt < now - idleMillis) this.#indexes.delete(id);
  }

  #groupsBy(indexed: Indexed, tree: SortedTree, now: number): ValueGroups | undefined {
    const id = `${indexed.kind} ${indexed.name}`;
    const index = this.#indexes.get(id) ?? this.#begin(id, indexed, tree, now);
    if (!index) return undefined;
    index.usedAt = now;
    return index.isWhole ? index.groups : undefined;
  }

  #begin(id: string, indexed: Indexed, tree: SortedTree, now: number): Index | undefined {
    if (!this.#seen.has(id)) {
      if (this.#seen.size >= maximumSeen) this.#seen.clear();
      this.#seen.add(id);
      return undefined;
    }
    if (this.#indexes.size >= maximumIndexes) return undefined;
    this.#seen.delete(id);
    const index: Index = {...indexed, groups: new ValueGroups(), usedAt: now, isWhole: tree.size <= maximumAtOnce};
    this.#indexes.set(id, index);
    if (!index.isWhole) {
      void this.#fillInTurns(id, index, tree);
      return index;
    }
    for (const [, entry] of tree.entries()) if (!this.#take(id, index, entry)) return undefined;
    return index;
  }

  async #fillInTurns(id: string, index: Index, tree: SortedTree): Promise<void> {
    const task = this.#newTask();
    let count = 0;
    for (const [key, entry] of tree.clone().entries()) {
      if (count++ % betweenLooks === 0) await task.yieldIfDue();
      if (this.#indexes.get(id) !== index) return;
      // What has changed meanwhile is in the index already.
      if (tree.get(key) === entry && !this.#take(id, index, entry)) return;
    }
    index.isWhole = true;
  }

  /** @returns false if the object cannot be read: there is no index then, since queries that do not concern the object must see all others */
  #take(id: string, index: Index, entry: CachedEntry): boolean {
    try {
      const value = valueOf(readable(entry), index);
      if (value !== undefined) index.groups.set(value, entry);
      return true;
    } catch {
      this.#indexes.delete(id);
      return false;
    }
  }
}

/** The value as selectors see it: a label may be missing; a missing field is the empty string. */
function valueOf(entry: CachedEntry, {kind, name}: Indexed): string | undefined {
  const values: Readonly<Record<string, unknown>> | undefined = kind === 'label' ? entry.labels() : entry.fields();
  const value = values && Object.hasOwn(values, name) ? values[name] : undefined;
  return typeof value === 'string' ? value : kind === 'field' ? '' : undefined;
}
