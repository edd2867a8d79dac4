import {setTimeout as sleep} from 'node:timers/promises';
import {StoreError, type Commit, type LogFollower, type LogListener, type Store} from '../../sdk/index.js';

/** A fault that lasts until it is ended. */
export interface Fault extends Disposable {
  end(): void;
}

/** Which writes meet somebody else's. */
export interface ConflictOptions {
  /** `PLURAL.GROUP` with a neutral group, as in `deployments.apps`; the plural alone in the core group. */
  readonly resource: string;
  /** The first change or deletion of an object of the type that meets a conflict, counted from now; 1 by default. */
  readonly nth?: number;
  /** How many from then on; 1 by default. */
  readonly times?: number;
}

interface Conflict {
  readonly resource: string;
  passing: number;
  left: number;
}

/** A store between a server for tests and its real one, in which faults happen on demand. Without any, calls go straight through. */
export class StoreFaults implements Store {
  readonly durability: string;
  readonly shards: number;
  readonly exclusive?: boolean;
  readonly keepsValues?: boolean;
  readonly types?: () => Promise<readonly string[]>;
  readonly now?: () => number;
  readonly lineages?: NonNullable<Store['lineages']>;
  readonly places?: number;
  readonly placeOf?: (type: string, key: string) => number;
  readonly #store: Store;
  readonly #away = new Set<object>();
  readonly #delays = new Set<{readonly millis: number}>();
  readonly #conflicts = new Set<Conflict>();
  readonly #followers = new Set<() => void>();

  constructor(store: Store) {
    this.#store = store;
    this.durability = store.durability;
    this.shards = store.shards;
    if (store.exclusive !== undefined) this.exclusive = store.exclusive;
    if (store.keepsValues !== undefined) this.keepsValues = store.keepsValues;
    if (store.types) this.types = () => this.#pass(() => store.types!());
    if (store.now) this.now = () => store.now!();
    if (store.lineages) this.lineages = () => store.lineages!();
    if (store.places !== undefined) this.places = store.places;
    if (store.placeOf) this.placeOf = (type, key) => store.placeOf!(type, key);
  }

  get epoch(): string | undefined {
    return this.#store.epoch;
  }

  /** All calls are refused as `Unavailable`, as when a database cannot be reached. */
  away(): Fault {
    return added(this.#away, {});
  }

  /** All calls take at least so long. */
  slow(millis: number): Fault {
    return added(this.#delays, {millis});
  }

  /** Somebody else writes an object just before a change or a deletion of it: the same bytes at a new revision. */
  conflict({resource, nth = 1, times = 1}: ConflictOptions): Fault {
    return added(this.#conflicts, {resource, passing: nth - 1, left: times});
  }

  /** The history of the store is another one from now on: what was read before is read anew, and watches end with 410. */
  loseHistory(): void {
    for (const end of [...this.#followers]) end();
  }

  shardOf(type: string): number {
    return this.#store.shardOf(type);
  }

  read(type: string, key: string): ReturnType<Store['read']> {
    return this.#pass(() => this.#store.read(type, key));
  }

  list(type: string): ReturnType<Store['list']> {
    return this.#pass(() => this.#store.list(type));
  }

  history(type: string): ReturnType<Store['history']> {
    return this.#pass(() => this.#store.history(type));
  }

  commit(change: Commit): Promise<number> {
    const conflict = change.expected === 0 ? undefined : this.#dueConflict(change.type);
    return this.#pass(async () => {
      if (conflict) await this.#writeBefore(change);
      return this.#store.commit(change);
    });
  }

  revision(shard: number): number | Promise<number> {
    return this.#isQuiet() ? this.#store.revision(shard) : this.#pass(async () => this.#store.revision(shard));
  }

  follow(shard: number, after: number, listener: LogListener): Promise<LogFollower> {
    return this.#pass(() => this.#follow(shard, after, listener));
  }

  compact(shard: number, upTo: number): Promise<void> {
    return this.#pass(() => this.#store.compact(shard, upTo));
  }

  ping(): Promise<void> {
    return this.#pass(() => this.#store.ping());
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  #isQuiet(): boolean {
    return this.#away.size + this.#delays.size === 0;
  }

  #pass<T>(call: () => Promise<T>): Promise<T> {
    return this.#isQuiet() ? call() : this.#disturbed(call);
  }

  async #disturbed<T>(call: () => Promise<T>): Promise<T> {
    const millis = Math.max(0, ...[...this.#delays].map((delay) => delay.millis));
    if (millis > 0) await sleep(millis);
    if (this.#away.size > 0) throw new StoreError('Unavailable', 'a test has taken the store away');
    return call();
  }

  #dueConflict(type: string): Conflict | undefined {
    let due: Conflict | undefined;
    for (const conflict of this.#conflicts) {
      if (conflict.resource !== type || conflict.left === 0) continue;
      if (conflict.passing > 0) conflict.passing -= 1;
      else {
        conflict.left -= 1;
        due = conflict;
      }
    }
    return due;
  }

  async #writeBefore({type, key, expected}: Commit): Promise<void> {
    const current = await this.#store.read(type, key);
    // Somebody else was there indeed.
    if (current?.revision !== expected) return;
    await this.#store.commit({type, key, expected, value: current.value});
  }

  async #follow(shard: number, after: number, listener: LogListener): Promise<LogFollower> {
    const follower = await this.#store.follow(shard, after, listener);
    const close = () => {
      this.#followers.delete(end);
      follower.close();
    };
    const end = () => {
      close();
      listener.onEnd(new StoreError('EpochChanged', 'a test has replaced the history of the store'));
    };
    this.#followers.add(end);
    return {close};
  }
}

function added<T>(faults: Set<T>, fault: T): Fault {
  faults.add(fault);
  const end = () => void faults.delete(fault);
  return {end, [Symbol.dispose]: end};
}
