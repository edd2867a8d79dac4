import type {SortedTree} from './sorted-tree.js';

/** A state of a type that held for the revisions `from` to before `to`. */
export interface Snapshot {
  readonly from: number;
  to: number;
  readonly tree: SortedTree;
  /** Milliseconds since 1970. */
  expires: number;
}

/** Older states for further pages of lists: a bounded number, least recently used dropped first. */
export class Snapshots {
  /** Least recently used first. */
  #kept: Snapshot[] = [];
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#kept.length;
  }

  /** The state at a revision if it is kept. */
  at(revision: number): Snapshot | undefined {
    const index = this.#kept.findIndex(({from, to}) => from <= revision && revision < to);
    if (index < 0) return undefined;
    const [found] = this.#kept.splice(index, 1);
    this.#kept.push(found!);
    return found;
  }

  /** The oldest kept state that is newer than `revision`: the shortest way back to it. */
  nearestAfter(revision: number): Snapshot | undefined {
    let nearest: Snapshot | undefined;
    for (const snapshot of this.#kept) if (snapshot.from > revision && snapshot.from < (nearest?.from ?? Infinity)) nearest = snapshot;
    return nearest;
  }

  add(snapshot: Snapshot): void {
    this.#kept.push(snapshot);
    if (this.#kept.length > this.#capacity) this.#kept.shift();
  }

  /** A change was made: a state that held until now ends before it. */
  endCurrent(revision: number): void {
    for (const snapshot of this.#kept) if (snapshot.to === Infinity) snapshot.to = revision;
  }

  /** Drops states that have expired at `now` (milliseconds since 1970). */
  trim(now: number): void {
    if (this.#kept.some(({expires}) => expires < now)) this.#kept = this.#kept.filter(({expires}) => expires >= now);
  }
}
