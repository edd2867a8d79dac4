import {StoreError, type Logger} from '../../../sdk/index.js';
import type {CachedEntry} from '../cache/cached-entry.js';
import type {TypeCache} from '../cache/type-cache.js';
import type {ChangeListener} from '../follow/type-feed.js';
import type {WindowEvent} from '../cache/window-event.js';

/** Maximum number of concurrent deletions. */
const parallelism = 16;

/**
 * Deletes the objects of a type some time after their last write. Several servers may do so at once: each deletes only
 * objects that have not changed since it saw them.
 */
export class ObjectExpiry implements ChangeListener {
  /** By key, in order of their last write. */
  #entries = new Map<string, CachedEntry>();
  #known: TypeCache | undefined;
  #running: Promise<void> | undefined;
  readonly #ttlMillis: number;
  readonly #cache: () => TypeCache | undefined;
  readonly #remove: (key: string, expected: number) => Promise<unknown>;
  readonly #logger: Logger;

  constructor(
    ttlMillis: number,
    cache: () => TypeCache | undefined,
    remove: (key: string, expected: number) => Promise<unknown>,
    logger: Logger,
  ) {
    this.#ttlMillis = ttlMillis;
    this.#cache = cache;
    this.#remove = remove;
    this.#logger = logger;
  }

  onChange({key, object}: WindowEvent): void {
    this.#entries.delete(key);
    if (object && object.fault === undefined) this.#entries.set(key, object);
  }

  onBatch(): void {}

  onReset(): void {
    this.#entries = new Map();
    this.#known = undefined;
  }

  /** Deletes what has expired at `now` (milliseconds since 1970). Does nothing while it is already running or the cache is not filled. */
  run(now: number): Promise<void> {
    this.#running ??= this.#expire(now).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #expire(now: number): Promise<void> {
    this.#learn();
    const expired: CachedEntry[] = [];
    for (const entry of this.#entries.values()) {
      if (entry.writtenAt + this.#ttlMillis > now) break;
      expired.push(entry);
    }
    const work = async () => {
      for (let entry = expired.pop(); entry; entry = expired.pop()) await this.#delete(entry);
    };
    await Promise.all(Array.from({length: Math.min(parallelism, expired.length)}, work));
  }

  /** Takes over the objects of a newly filled cache. */
  #learn(): void {
    const cache = this.#cache();
    if (!cache || cache === this.#known) return;
    this.#known = cache;
    const entries = cache.tree
      .valuesArray()
      .filter((entry) => entry.fault === undefined)
      .sort((a, b) => a.writtenAt - b.writtenAt);
    this.#entries = new Map(entries.map((entry) => [entry.key, entry]));
  }

  async #delete({key, revision}: CachedEntry): Promise<void> {
    try {
      await this.#remove(key, revision);
    } catch (error) {
      // Somebody else changed or deleted it, or the store is unavailable: it is retried later.
      if (StoreError.is(error) && ['Mismatch', 'Missing', 'Unavailable', 'Closed'].includes(error.code)) return;
      this.#logger.error({error, key}, 'an expired object could not be deleted');
    }
  }
}
