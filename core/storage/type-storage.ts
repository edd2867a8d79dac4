import type {ApiObject, CacheFollower, ChangeBounds, Store} from '../../sdk/index.js';
import {readable, type CachedEntry, type EntryContext} from './cache/cached-entry.js';
import type {CachedObject} from './cache/cached-object.js';
import type {ListQuery, ListResult} from './read/list-query.js';
import type {RecentVersions} from './read/object-changes.js';
import {ListReader} from './read/list-reader.js';
import {ObjectExpiry} from './write/object-expiry.js';
import {ObjectWriter} from './write/object-writer.js';
import type {ParsedObjects} from './cache/parsed-objects.js';
import {UnreadableEntries} from './cache/unreadable-entries.js';
import type {ShardFollower} from './follow/shard-follower.js';
import type {StorageSettings} from './storage-options.js';
import type {TypeCache} from './cache/type-cache.js';
import {followCache} from './follow/follow-cache.js';
import {TypeFeed, type Freshness} from './follow/type-feed.js';
import type {TypeOptions} from './cache/type-options.js';
import {StorageError} from './storage-error.js';
import {WatchHub} from './watch/watch-hub.js';
import type {WriteGuard} from './write/write-guard.js';
import type {WatchHandle, WatchQuery, WatchSink} from './watch/watch-query.js';

/** Memory used by a type, and its watches. */
export interface TypeUsage {
  readonly type: string;
  readonly objects: number;
  /** Records that are damaged, and left out everywhere. */
  readonly damaged: number;
  readonly events: number;
  readonly eventBytes: number;
  readonly snapshots: number;
  readonly watches: number;
}

/**
 * The objects of one type. Reads are served from memory, synchronously if there is nothing to wait for; writes go to the store.
 *
 * All methods fail with `StoreError` as the store does, and with the listed `StorageError`s. A method that answers
 * synchronously throws where it would otherwise reject. All fail with `NotServed` after `remove`.
 */
export class TypeStorage {
  readonly #context: EntryContext;
  readonly #feed: TypeFeed;
  readonly #reader: ListReader;
  readonly #writer: ObjectWriter;
  readonly #hub: WatchHub;
  readonly #expiry: ObjectExpiry | undefined;
  #renewalCount = 0;
  readonly #shard: ShardFollower;
  readonly #settings: StorageSettings;

  /** Created by `Storage.type`. */
  constructor(options: TypeOptions, store: Store, shard: ShardFollower, parsed: ParsedObjects, settings: StorageSettings) {
    this.#shard = shard;
    this.#settings = settings;
    const {type, namespaced, ttlSeconds} = options;
    this.#context = {
      options,
      parsed,
      encryption: settings.encryption?.forType(type),
      unreadable: new UnreadableEntries(type, settings.logger, settings.clock),
    };
    this.#feed = new TypeFeed(type, store, shard, this.#context, settings);
    this.#reader = new ListReader(this.#feed, namespaced, settings);
    this.#writer = new ObjectWriter(this.#feed, store, settings);
    this.#hub = new WatchHub(() => this.#feed.cache, namespaced, settings);
    this.#feed.listeners.push(this.#hub);
    if (ttlSeconds !== undefined) {
      this.#expiry = new ObjectExpiry(
        ttlSeconds * 1000,
        () => this.#feed.cache,
        (key, expected) => this.#writer.remove(key, expected),
        settings,
      );
      this.#feed.listeners.push(this.#expiry);
    }
  }

  /** The key of an object in the store: `namespace/name`, or `name` alone for a cluster-scoped type. */
  key(namespace: string, name: string): string {
    return this.#context.options.namespaced ? `${namespace}/${name}` : name;
  }

  /**
   * One object, or undefined if there is none.
   *
   * @throws StorageError `FutureRevision`, `Unreadable`
   */
  get(namespace: string, name: string, freshness: Freshness): CachedObject | undefined | Promise<CachedObject | undefined> {
    const key = this.key(namespace, name);
    const cache = this.#feed.ready(freshness);
    const found = (ready: TypeCache) => readable(ready.get(key) ?? ready.damaged(key));
    return cache instanceof Promise ? cache.then(found) : found(cache);
  }

  /** The revision of an object whose content cannot be had, because it cannot be decrypted or is damaged; undefined for one that can be read, and if there is none. */
  async unreadableRevision(namespace: string, name: string): Promise<number | undefined> {
    const key = this.key(namespace, name);
    const cache = await this.#feed.ready('recent');
    const entry = cache.get(key) ?? cache.damaged(key);
    return entry?.fault === undefined ? undefined : entry.revision;
  }

  /**
   * The objects that a query selects, in order of their keys.
   *
   * @throws StorageError `InvalidContinue`, `ExpiredContinue`, `ListTooOld`, `FutureRevision`, `Unreadable` if one of them cannot be read
   */
  list(query: ListQuery): ListResult | Promise<ListResult> {
    return this.#reader.list(query);
  }

  /**
   * Stores a new object. On success storage owns the object: it sets its version, and the caller must not change it any more.
   *
   * @param schemaMark identifies the schema that the object was written with (see `CachedObject`)
   * @param guard further conditions of the commit
   */
  create(object: ApiObject, namespace: string, name: string, schemaMark = 0, guard?: WriteGuard): Promise<CachedObject> {
    return this.#writer.write(this.key(namespace, name), object, 0, schemaMark, guard);
  }

  /** Replaces an object that is still as `expected`. The other parameters are those of `create`. */
  update(
    object: ApiObject,
    expected: CachedObject | number,
    namespace: string,
    name: string,
    schemaMark = 0,
    guard?: WriteGuard,
  ): Promise<CachedObject> {
    // All versions share the text of their key: what follows objects keeps one for each.
    const {key, revision} = typeof expected === 'number' ? {key: this.key(namespace, name), revision: expected} : expected;
    return this.#writer.write(key, object, revision, schemaMark, guard);
  }

  /** Removes an object that is at revision `expected`, and returns the revision of the removal. */
  delete(namespace: string, name: string, expected: number, guard?: WriteGuard): Promise<{revision: number}> {
    return this.#writer.remove(this.key(namespace, name), expected, guard);
  }

  /** Resolves when the cache has all changes that were made before this call. */
  async caughtUp(): Promise<void> {
    await this.#feed.ready('recent');
  }

  /** The versions that an object had lately. What finds them is loaded with the first call. */
  async changes(namespace: string, name: string, bounds: ChangeBounds): Promise<RecentVersions> {
    const {recentVersions} = await import('./read/object-changes.js');
    return recentVersions(await this.#feed.ready('recent'), this.key(namespace, name), bounds);
  }

  /** The object in the cache, without waiting; undefined also while the cache is not filled. */
  cached(namespace: string, name: string): CachedEntry | undefined {
    return this.#feed.cache?.get(this.key(namespace, name));
  }

  /** The newest state of an object that this server knows, without asking the store; undefined if it knows none, or it cannot be read. */
  known(namespace: string, name: string): CachedObject | undefined {
    const key = this.key(namespace, name);
    const {cache, pending} = this.#feed;
    const cached = cache?.get(key);
    const known = cache && (pending.answeredAfter(key, cached?.revision ?? 0) ?? cached);
    return known?.fault === undefined ? known : undefined;
  }

  /** The objects in the cache, of one namespace or (empty) of all, by key. Changes during the iteration are not seen. */
  *allCached(namespace: string): Iterable<CachedEntry> {
    const tree = this.#feed.cache?.tree.clone();
    if (!tree) return;
    const prefix = namespace === '' ? '' : `${namespace}/`;
    for (const [key, entry] of tree.entries(prefix)) {
      if (!key.startsWith(prefix)) return;
      yield entry;
    }
  }

  /** Passes the objects of the cache, and then each change, to a follower in this process, until `signal` fires. */
  follow(follower: CacheFollower, signal: AbortSignal): void {
    followCache(this.#feed, follower, this.#settings, signal);
  }

  /**
   * Starts a watch. Fails with `StoreError` `Closed` after `endWatches`.
   *
   * @param renewal the value of `renewals` when `query` was made: a watch based on a previous definition ends at once
   * @throws StorageError `WatchTooOld`, or `FutureRevision` for the version of the initial state
   */
  watch(query: WatchQuery, sink: WatchSink, renewal = this.#renewalCount): WatchHandle | Promise<WatchHandle> {
    const {start} = query;
    if (start.kind === 'after' && this.#shard.isLost(start.revision)) {
      throw new StorageError({code: 'WatchTooOld', requested: start.revision, oldest: this.#shard.lostUpTo});
    }
    const cache = this.#feed.ready(start.kind === 'after' ? 'any' : start.freshness);
    const open = (ready: TypeCache) =>
      renewal === this.#renewalCount ? this.#hub.open(ready, query, sink) : endedWatch(ready.revision, sink);
    return cache instanceof Promise ? cache.then(open) : open(cache);
  }

  /** How often the type's definition has been replaced. */
  get renewals(): number {
    return this.#renewalCount;
  }

  /**
   * Called when the type's definition was replaced. Watches end without an error, because they show the objects as in
   * the previous one: clients come back and resume where they were.
   */
  renew(): void {
    this.#renewalCount += 1;
    this.#hub.endAll();
  }

  /** Other keys are in force: unreadable objects are read again. If there were any, watches end with `HistoryLost`. */
  rereadUnreadable(): void {
    if (this.#context.unreadable.count > 0) this.#feed.onReset(new Error('other keys are in force'));
  }

  /** Called when the type's definition has changed. Selectable fields are recomputed. */
  redefine(options: TypeOptions): void {
    this.#context.options = options;
    this.#feed.cache?.valueIndex.forgetFields();
  }

  /** Work that is due from time to time. Returns the number of watches. @param now in milliseconds since 1970 */
  tick(now: number): number {
    this.#feed.cache?.trim(now);
    this.sendBookmarks(now);
    return this.#hub.size;
  }

  /** Sends the bookmarks that are due. `now` in milliseconds since 1970. */
  sendBookmarks(now: number): void {
    if (this.#hub.size > 0) this.#hub.tick(now);
  }

  /** Whether its objects expire. */
  get expires(): boolean {
    return this.#expiry !== undefined;
  }

  /** Deletes expired objects; fills the cache first if needed. Rejects with `StoreError` if it cannot be filled. */
  async expire(): Promise<void> {
    if (!this.#expiry) return;
    await this.#feed.ready('any');
    await this.#expiry.run(this.#settings.clock());
  }

  /** Number of objects; undefined until they have been read from the store. */
  get objectCount(): number | undefined {
    return this.#feed.cache?.tree.size;
  }

  usage(): TypeUsage | undefined {
    const {cache} = this.#feed;
    return (
      cache && {
        type: this.#feed.type,
        objects: cache.tree.size,
        damaged: cache.damagedCount,
        events: cache.window.size,
        eventBytes: cache.window.bytes,
        snapshots: cache.snapshotCount,
        watches: this.#hub.size,
      }
    );
  }

  /** Ends all watches without an error, and starts no new ones. Reads and writes continue. */
  endWatches(): void {
    this.#hub.close();
  }

  /** Like `close`, for a type that is no longer served: later reads and writes get a 404. */
  remove(): void {
    this.endWatches();
    this.#feed.remove();
  }

  /** Ends all watches without an error and drops the cache. */
  close(): void {
    this.endWatches();
    this.#feed.close();
  }
}

function endedWatch(revision: number, sink: WatchSink): WatchHandle {
  sink.end();
  return {revision, bookmark: () => undefined, close: () => undefined};
}
