import {setTimeout as delay} from 'node:timers/promises';
import {StoreError, type Logger, type Scheduler} from '../../../sdk/index.js';
import type {CachedEntry} from '../cache/cached-entry.js';
import type {TypeCache} from '../cache/type-cache.js';
import type {ChangeListener} from '../follow/type-feed.js';
import type {WindowEvent} from '../cache/window-event.js';

/** Maximum number of concurrent deletions. */
const parallelism = 16;
/** Objects of one batch, and its minimum duration: 1,000 objects per second, as with leases of etcd, so that requests are not delayed. */
const batchSize = 100;
const batchMillis = 100;
/** How many objects are put in order between two looks at the clock. */
const entriesBetweenLooks = 32;

/**
 * Deletes the objects of a type some time after their last write, which is noted in the stored value: restarts of servers do not matter, nor which
 * server wrote them. Every server does so, even without controllers: each deletes only objects that have not changed since it saw them, begins anywhere
 * in a batch and skips objects that have been deleted, so that several servers share the work.
 */
export class ObjectExpiry implements ChangeListener {
  /** By key, in order of their last write. */
  #entries = new Map<string, CachedEntry>();
  #known: TypeCache | undefined;
  /** Changes that come while the objects of a cache are put in order. */
  #waiting: WindowEvent[] | undefined;
  #running: Promise<void> | undefined;
  readonly #ttlMillis: number;
  readonly #cache: () => TypeCache | undefined;
  readonly #remove: (key: string, expected: number) => Promise<unknown>;
  readonly #parts: {readonly logger: Logger; readonly scheduler: Scheduler};

  constructor(
    ttlMillis: number,
    cache: () => TypeCache | undefined,
    remove: (key: string, expected: number) => Promise<unknown>,
    parts: {readonly logger: Logger; readonly scheduler: Scheduler},
  ) {
    this.#ttlMillis = ttlMillis;
    this.#cache = cache;
    this.#remove = remove;
    this.#parts = parts;
  }

  onChange(event: WindowEvent): void {
    if (this.#waiting) this.#waiting.push(event);
    else this.#apply(event);
  }

  onBatch(): void {}

  onReset(): void {
    this.#entries = new Map();
    this.#known = undefined;
    this.#waiting = undefined;
  }

  onClose(): void {
    this.onReset();
  }

  /** Deletes objects that have expired at `now` (milliseconds since 1970). Does nothing while it is already running or the cache is not filled. */
  run(now: number): Promise<void> {
    this.#running ??= this.#expire(now).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #expire(now: number): Promise<void> {
    await this.#learn();
    const entries = this.#entries;
    const inOrder = entries.values();
    for (;;) {
      const began = performance.now();
      const batch = firstOf(inOrder, now - this.#ttlMillis);
      const canGoOn = await this.#deleteAll(batch);
      if (!canGoOn || batch.length < batchSize || this.#entries !== entries) return;
      await delay(Math.max(0, began + batchMillis - performance.now()), undefined, {ref: false});
    }
  }

  /** Takes over the objects of a newly filled cache. */
  async #learn(): Promise<void> {
    const cache = this.#cache();
    if (!cache || cache === this.#known) return;
    this.#known = cache;
    const entries = new Map<string, CachedEntry>();
    const task = this.#parts.scheduler.task('background', 'expiry of objects');
    const waiting: WindowEvent[] = [];
    this.#waiting = waiting;
    for (const entry of bySecond(cache.tree.valuesArray())) {
      entries.set(entry.key, entry);
      if (entries.size % entriesBetweenLooks === 0) await task.yieldIfDue();
    }
    // The cache has been dropped: later writes are unrelated.
    if (this.#waiting !== waiting) return;
    this.#entries = entries;
    this.#waiting = undefined;
    for (const event of waiting) this.#apply(event);
  }

  #apply({key, object}: WindowEvent): void {
    this.#entries.delete(key);
    if (object && object.fault === undefined) this.#entries.set(key, object);
  }

  /** @returns false if nothing can be deleted now */
  async #deleteAll(batch: readonly CachedEntry[]): Promise<boolean> {
    const begin = Math.floor(Math.random() * batch.length);
    const left = [...batch.slice(begin), ...batch.slice(0, begin)].reverse();
    let canGoOn = true;
    const work = async () => {
      for (let entry = left.pop(); entry && canGoOn; entry = left.pop()) {
        if (this.#entries.get(entry.key) === entry && !(await this.#delete(entry))) canGoOn = false;
      }
    };
    await Promise.all(Array.from({length: Math.min(parallelism, batch.length)}, work));
    return canGoOn;
  }

  /** @returns false if further objects cannot be deleted now either */
  async #delete({key, revision}: CachedEntry): Promise<boolean> {
    try {
      await this.#remove(key, revision);
      return true;
    } catch (error) {
      // Somebody else changed or deleted it.
      if (StoreError.is(error) && ['Mismatch', 'Missing'].includes(error.code)) return true;
      // The store is unavailable: it is retried later.
      if (StoreError.is(error) && ['Unavailable', 'Closed'].includes(error.code)) return false;
      this.#parts.logger.error({error, key}, 'an expired object could not be deleted');
      return true;
    }
  }
}

/** Readable entries by last write, to the second: sorting 100,000 of them would block the event loop. */
function* bySecond(entries: readonly CachedEntry[]): Iterable<CachedEntry> {
  const groups = new Map<number, CachedEntry[]>();
  for (const entry of entries) {
    if (entry.fault !== undefined) continue;
    const second = Math.floor(entry.writtenAt / 1000);
    const group = groups.get(second);
    if (group) group.push(entry);
    else groups.set(second, [entry]);
  }
  for (const second of [...groups.keys()].sort((a, b) => a - b)) yield* groups.get(second)!;
}

/** The next batch of entries that were written at a time or before it. */
function firstOf(inOrder: Iterator<CachedEntry>, writtenBy: number): CachedEntry[] {
  const batch: CachedEntry[] = [];
  while (batch.length < batchSize) {
    const {value, done} = inOrder.next();
    if (done === true || value.writtenAt > writtenBy) break;
    batch.push(value);
  }
  return batch;
}
