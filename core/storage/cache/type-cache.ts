import {StoreError, type LogEntry, type Scheduler} from '../../../sdk/index.js';
import type {CachedEntry} from './cached-entry.js';
import {EventWindow, type WindowBounds} from './event-window.js';
import {NamespaceCounts} from './namespace-counts.js';
import {Snapshots, type Snapshot} from './snapshots.js';
import type {SortedTree} from './sorted-tree.js';
import {ValueIndex} from './value-index.js';
import type {WindowEvent} from './window-event.js';

export interface CacheBounds extends WindowBounds {
  /** Most older states of one type that are kept for pages. */
  readonly maximumSnapshots: number;
}

/**
 * All objects of one type in memory with their recent history. Knows nothing about stores: it is fed the log entry by
 * entry, and answers synchronously.
 */
export class TypeCache {
  readonly window: EventWindow;
  readonly valueIndex: ValueIndex;
  readonly namespaceCounts = new NamespaceCounts();
  readonly #snapshots: Snapshots;
  #lastChange: number;
  /** Records whose bytes are damaged: no state shows them, so that the other objects can be used. */
  readonly #quarantine = new Map<string, CachedEntry>();
  readonly #warmedTo: number;
  readonly #position: () => number;

  /**
   * @param tree the state at `warmedTo`; the cache's own from here on
   * @param warmedTo revision of the shard up to which `tree` and the window are complete
   * @param position returns the revision up to which the log of the shard has been applied since
   * @param floor revision above which the history is complete
   */
  constructor(
    readonly tree: SortedTree,
    warmedTo: number,
    position: () => number,
    floor: number,
    {scheduler, ...bounds}: CacheBounds & {readonly scheduler: Scheduler},
  ) {
    this.#warmedTo = warmedTo;
    this.#position = position;
    this.valueIndex = new ValueIndex(() => scheduler.task('background', 'grouping objects by a label or field'));
    this.window = new EventWindow(floor, bounds);
    this.#snapshots = new Snapshots(bounds.maximumSnapshots);
    this.#lastChange = floor;
  }

  /** Revision of the shard that the cache shows. */
  get revision(): number {
    return Math.max(this.#warmedTo, this.#position());
  }

  get snapshotCount(): number {
    return this.#snapshots.size;
  }

  get(key: string): CachedEntry | undefined {
    return this.tree.get(key);
  }

  /** Number of records that are damaged. */
  get damagedCount(): number {
    return this.#quarantine.size;
  }

  /** The entry of a record that is damaged, which is in no state. */
  damaged(key: string): CachedEntry | undefined {
    return this.#quarantine.get(key);
  }

  /** Keeps a damaged record apart, until it is replaced or removed. */
  quarantine(entry: CachedEntry): void {
    this.#quarantine.set(entry.key, entry);
  }

  /**
   * Applies the next change.
   *
   * @param make builds the entry of a written object
   * @returns undefined when the change is already part of the state
   * @throws StoreError `Corrupt` if the change does not fit the state: the cache must then be dropped
   */
  apply(entry: LogEntry, make: () => CachedEntry): WindowEvent | undefined {
    const {revision, key, value, time} = entry;
    if (revision <= this.#warmedTo) return undefined;
    const previous = this.tree.get(key);
    const replaced = previous?.revision ?? this.#quarantine.get(key)?.revision ?? 0;
    if (replaced !== (entry.previous?.revision ?? 0)) {
      throw new StoreError(
        'Corrupt',
        `change ${revision} of ${JSON.stringify(key)} replaces revision ${entry.previous?.revision ?? 'none'}, the cache has ${replaced || 'none'}`,
      );
    }
    this.#quarantine.delete(key);
    const made = value === null ? undefined : make();
    if (made?.isDamaged === true) this.#quarantine.set(key, made);
    const object = made?.isDamaged === true ? undefined : made;
    if (!object && !previous) return undefined;
    const event: WindowEvent = {revision, time, key, object, previous};
    if (event.object) this.tree.set(key, event.object);
    else this.tree.delete(key);
    this.valueIndex.apply(event);
    this.namespaceCounts.apply(event);
    this.record(event);
    return event;
  }

  /** Adds an event whose effect is already part of the state. */
  record(event: WindowEvent): void {
    this.window.push(event);
    this.#lastChange = event.revision;
    this.#snapshots.endCurrent(event.revision);
  }

  /** Whether the state at a revision, not below the window's floor, is still the current one. */
  isCurrent(revision: number): boolean {
    return revision >= this.#lastChange;
  }

  /**
   * The state at a revision that is not newer than the cache; undefined when it is no longer available. The tree must
   * not be changed. The state is kept for further pages until `expires` (milliseconds since 1970).
   */
  stateAt(revision: number, expires: number): SortedTree | undefined {
    const known = this.#snapshots.at(revision);
    if (known) {
      known.expires = Math.max(known.expires, expires);
      return known.tree;
    }
    if (revision < this.window.floor) return undefined;
    const {from, to} = this.window.unchangedAround(revision);
    const newer = this.#snapshots.nearestAfter(revision);
    const tree = (newer?.tree ?? this.tree).clone();
    this.window.backwards(revision, newer?.from ?? Infinity, ({key, previous}) => {
      if (previous) tree.set(key, previous);
      else tree.delete(key);
    });
    const snapshot: Snapshot = {from, to, tree, expires};
    this.#snapshots.add(snapshot);
    return tree;
  }

  /** Drops history that is too old at `now` (milliseconds since 1970). */
  trim(now: number): void {
    this.window.trim(now);
    this.#snapshots.trim(now);
    this.valueIndex.trim(now);
  }
}
