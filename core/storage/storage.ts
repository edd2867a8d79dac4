import {every, StoreError, type Store} from '../../sdk/index.js';
import {ParsedObjects} from './cache/parsed-objects.js';
import {ShardFollower} from './follow/shard-follower.js';
import {storageSettings, type StorageOptions, type StorageSettings} from './storage-options.js';
import type {TypeOptions} from './cache/type-options.js';
import {TypeStorage, type TypeUsage} from './type-storage.js';

export interface ShardHealth {
  readonly shard: number;
  /** Up to which the log has been read. */
  readonly revision: number;
  readonly following: boolean;
  /** How often the store has lost its history, and how often the log broke off. */
  readonly epochChanges: number;
  readonly breaks: number;
  /** The store's own revision, asked for when it is called. */
  readonly latest: () => number | Promise<number>;
}

export interface StorageHealth {
  /** Whether the log of every shard is being followed. */
  readonly following: boolean;
  readonly shards: readonly ShardHealth[];
  /** The types whose caches are filled. */
  readonly types: readonly TypeUsage[];
}

/** How often ages and bookmarks are looked at. */
const longestTickMillis = 5000;
/** So many watches get their bookmarks second by second, so that they do not come all at once. */
const manyWatches = 500;
const manyBookmarksMillis = 1000;
const expiryMillis = 10_000;

/**
 * All objects of a server: a cache for each type over one store. Types cost nothing until they are used.
 */
export class Storage {
  readonly #settings: StorageSettings;
  readonly #shards: ShardFollower[];
  readonly #types = new Map<string, TypeStorage>();
  readonly #parsed: ParsedObjects;
  #timers: (() => void)[] = [];
  #stopBookmarks: (() => void) | undefined;
  #watchesEnded = false;
  readonly #store: Store;

  constructor(store: Store, options: StorageOptions) {
    this.#store = store;
    this.#settings = storageSettings(options, store);
    this.#parsed = new ParsedObjects(this.#settings.maximumParsedObjects, this.#settings.maximumParsedBytes);
    this.#shards = Array.from({length: store.shards}, (_, shard) => new ShardFollower(store, shard, this.#settings));
  }

  /**
   * Starts following the store. A store that cannot be reached now does not fail the start: it is retried, and operations that need
   * the store fail until then.
   *
   * @throws StoreError of any other kind
   */
  async start(): Promise<void> {
    const {historyMillis, logger} = this.#settings;
    this.#every(Math.min(longestTickMillis, historyMillis / 20), () => this.tick());
    this.#every(Math.min(expiryMillis, historyMillis / 20), () => this.expireObjects());
    this.#every(historyMillis / 20, () => this.compact());
    await Promise.all(
      this.#shards.map((shard) =>
        shard.ensureFollowing().catch((error: unknown) => {
          if (!StoreError.is(error) || error.code !== 'Unavailable') throw error;
          logger.warn({error, shard: shard.shard}, 'the store cannot be reached; trying again');
        }),
      ),
    );
  }

  /** Ends all watches without an error, and starts no new ones. Reads and writes continue, so that requests in flight can finish. */
  endWatches(): void {
    this.#watchesEnded = true;
    for (const type of this.#types.values()) type.endWatches();
  }

  /** Ends all watches and stops following the store. The store itself is not closed. */
  async stop(): Promise<void> {
    for (const end of this.#timers) end();
    this.#stopBookmarks?.();
    this.#timers = [];
    for (const type of this.#types.values()) type.close();
    for (const shard of this.#shards) shard.stop();
  }

  /** The storage of a type: the same object for every call. A call with other options replaces those of the earlier one. */
  type(options: TypeOptions): TypeStorage {
    const known = this.#types.get(options.type);
    if (known) {
      known.redefine(options);
      return known;
    }
    const shard = this.#shards[this.#store.shardOf(options.type)]!;
    const storage = new TypeStorage(options, this.#store, shard, this.#parsed, this.#settings);
    this.#types.set(options.type, storage);
    if (this.#watchesEnded) storage.endWatches();
    return storage;
  }

  /** Whether two records are where the store can check both in one step. */
  isOnePlace(one: {readonly type: string; readonly key: string}, other: {readonly type: string; readonly key: string}): boolean {
    const store = this.#store;
    const placeOf = ({type, key}: {readonly type: string; readonly key: string}) => store.placeOf?.(type, key) ?? store.shardOf(type);
    return (store.places ?? store.shards) === 1 || placeOf(one) === placeOf(other);
  }

  /** Resolves when the cache of a type has all changes that were made before this call. Rejects with `StoreError`, or with `StorageError` if that takes too long. */
  async caughtUp(type: string): Promise<void> {
    await this.#types.get(type)?.caughtUp();
  }

  /** Reads objects again that could not be decrypted, after the rules of `StorageOptions.encryption` have changed. */
  rereadUnreadable(): void {
    for (const type of this.#types.values()) type.rereadUnreadable();
  }

  /** A type's definition was replaced: its watches end without an error and can be started again. */
  renew(type: string): void {
    this.#types.get(type)?.renew();
  }

  /** Ends the watches of a type that is no longer served and frees its memory. Its records in the store stay. */
  remove(type: string): void {
    this.#types.get(type)?.remove();
    this.#types.delete(type);
  }

  health(): StorageHealth {
    const shards = this.#shards.map((follower) => {
      const {shard, position, following, interruptions} = follower;
      return {shard, revision: position, following, ...interruptions, latest: () => follower.latest()};
    });
    const types = [...this.#types.values()].map((type) => type.usage()).filter((usage) => usage !== undefined);
    return {following: shards.every(({following}) => following), shards, types};
  }

  /** Sends bookmarks and drops old history. Called by a timer; may be called at any time. */
  tick(): void {
    const now = this.#settings.clock();
    for (const shard of this.#shards) if (shard.following) shard.times.add(shard.position, now);
    let watches = 0;
    for (const type of this.#types.values()) watches += type.tick(now);
    const isMany = watches >= manyWatches;
    if (isMany === (this.#stopBookmarks !== undefined)) return;
    this.#stopBookmarks?.();
    this.#stopBookmarks = isMany ? every(manyBookmarksMillis, () => this.#sendBookmarks()) : undefined;
  }

  /** Deletes expired objects. Called by a timer; may be called at any time. */
  async expireObjects(): Promise<void> {
    for (const type of this.#types.values()) {
      if (!type.expires) continue;
      try {
        await type.expire();
      } catch (error) {
        this.#settings.logger.debug({error}, 'expired objects cannot be deleted now');
      }
    }
  }

  /** Compacts the store's log up to the beginning of the history. Called by a timer; may be called at any time. */
  async compact(): Promise<void> {
    const {clock, historyMillis, logger} = this.#settings;
    for (const {times, shard} of this.#shards) {
      const revision = times.takeUpTo(clock() - historyMillis);
      if (revision === undefined || revision === 0) continue;
      try {
        await this.#store.compact(shard, revision);
      } catch (error) {
        logger.debug({error, shard, revision}, 'the log of the store cannot be cut now');
      }
    }
  }

  #sendBookmarks(): void {
    const now = this.#settings.clock();
    for (const type of this.#types.values()) type.sendBookmarks(now);
  }

  #every(millis: number, work: () => void | Promise<void>): void {
    this.#timers.push(every(Math.max(10, millis), () => void work()));
  }
}
