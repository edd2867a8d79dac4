import {StoreError} from '../../../sdk/index.js';
import type {ChangeHeader} from './record-table.js';

/** The index of one type in memory. Values are in the table. */
class TypeIndex {
  /** Revision of the record of each key. */
  readonly live = new Map<string, number>();
  /**
   * The retained log in ascending order, two numbers a change: its revision (negative for a deletion), and the revision
   * of the record it replaced or 0. Compaction needs nothing else and so reads nothing.
   */
  readonly changes: number[] = [];
}

/** The state of the store: which revision each key is at, and which revisions the log has. Moves only with durable changes. */
export class StoreIndex {
  readonly #types = new Map<string, TypeIndex>();
  /** Revision of the last change. */
  revision: number;
  /** Time of the last change. */
  time = 0;

  constructor(public floor: number) {
    this.revision = floor;
  }

  /**
   * Loads the changes of a newly opened table and returns the revisions of records that are not needed: leftovers of an
   * interrupted compaction.
   */
  load(headers: Iterable<ChangeHeader>): number[] {
    const unneeded: number[] = [];
    for (const header of headers) {
      if (header.revision > this.floor) {
        this.apply(header);
        continue;
      }
      const type = this.#typeFor(header.type);
      const older = type.live.get(header.key);
      if (older !== undefined) unneeded.push(older);
      if (header.deleted) {
        unneeded.push(header.revision);
        type.live.delete(header.key);
      } else {
        type.live.set(header.key, header.revision);
      }
      this.time = Math.max(this.time, header.time);
    }
    return unneeded;
  }

  /** Takes in the next change. */
  apply(change: ChangeHeader): void {
    const type = this.#typeFor(change.type);
    const current = type.live.get(change.key) ?? 0;
    if (current !== change.previous || change.revision <= this.revision) {
      throw new StoreError('Corrupt', `change ${change.revision} of the store does not follow from the changes before it`);
    }
    if (change.deleted) type.live.delete(change.key);
    else type.live.set(change.key, change.revision);
    type.changes.push(change.deleted ? -change.revision : change.revision, change.previous);
    this.revision = change.revision;
    this.time = Math.max(this.time, change.time);
  }

  /** Revision of the record of a key; 0 when there is none. */
  revisionOf(type: string, key: string): number {
    return this.#types.get(type)?.live.get(key) ?? 0;
  }

  /** The types that have records. */
  types(): string[] {
    return [...this.#types].filter(([, {live}]) => live.size > 0).map(([name]) => name);
  }

  /** The keys of a type with the revisions of their records. What changes while they are gone through may be among them, or may not. */
  live(type: string): Iterable<readonly [string, number]> {
    return this.#types.get(type)?.live ?? [];
  }

  /** Revisions of the retained changes of a type, ascending. */
  changesOf(type: string): number[] {
    const changes = this.#types.get(type)?.changes ?? [];
    const revisions: number[] = [];
    for (let at = 0; at < changes.length; at += 2) revisions.push(Math.abs(changes[at]!));
    return revisions;
  }

  /**
   * Cuts the log up to and including a revision and returns the records that are no longer needed.
   *
   * They are in the order in which they must be removed: a deletion after all that it hides. Were a deletion removed
   * first and the rest not, the record would be back after a restart.
   */
  cut(upTo: number): number[] {
    const unneeded: number[] = [];
    for (const [name, {live, changes}] of this.#types) {
      let at = 0;
      for (; at < changes.length && Math.abs(changes[at]!) <= upTo; at += 2) {
        if (changes[at + 1] !== 0) unneeded.push(changes[at + 1]!);
        if (changes[at]! < 0) unneeded.push(-changes[at]!);
      }
      if (at > 0) changes.splice(0, at);
      if (changes.length === 0 && live.size === 0) this.#types.delete(name);
    }
    this.floor = upTo;
    return unneeded;
  }

  #typeFor(name: string): TypeIndex {
    let type = this.#types.get(name);
    if (type === undefined) this.#types.set(name, (type = new TypeIndex()));
    return type;
  }
}
