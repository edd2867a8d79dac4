import type {FieldSelector} from '../../api/selectors/field-selector.js';
import type {LabelSelector} from '../../api/selectors/label-selector.js';
import type {CachedEntry} from './cached-entry.js';
import type {SortedTree} from './sorted-tree.js';
import {ValueGroups} from './value-groups.js';
import type {WindowEvent} from './window-event.js';

/** Types with fewer objects are scanned: that takes some microseconds. */
const minimumObjects = 256;
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
}

/**
 * Finds objects by the value of a label or field without looking at all of them. A label or field is indexed when an
 * equality selector names it for the second time, for as long as it is used. Name and namespace need no index: they are the key.
 */
export class ValueIndex {
  readonly #indexes = new Map<string, Index>();
  readonly #seen = new Set<string>();

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
    return index.groups;
  }

  #begin(id: string, indexed: Indexed, tree: SortedTree, now: number): Index | undefined {
    if (!this.#seen.has(id)) {
      if (this.#seen.size >= maximumSeen) this.#seen.clear();
      this.#seen.add(id);
      return undefined;
    }
    if (this.#indexes.size >= maximumIndexes) return undefined;
    this.#seen.delete(id);
    const index: Index = {...indexed, groups: new ValueGroups(), usedAt: now};
    // An unreadable object must not break queries that do not concern it: they still see all the others.
    let readable = true;
    tree.forEachPair((_key, entry) => {
      if (entry.fault !== undefined) readable = false;
      const value = readable ? valueOf(entry, indexed) : undefined;
      if (value !== undefined) index.groups.set(value, entry);
    });
    if (!readable) return undefined;
    this.#indexes.set(id, index);
    return index;
  }
}

/** The value as selectors see it: a label may be missing; a missing field is the empty string. */
function valueOf(entry: CachedEntry, {kind, name}: Indexed): string | undefined {
  const values: Readonly<Record<string, unknown>> | undefined = kind === 'label' ? entry.labels() : entry.fields();
  const value = values && Object.hasOwn(values, name) ? values[name] : undefined;
  return typeof value === 'string' ? value : kind === 'field' ? '' : undefined;
}
