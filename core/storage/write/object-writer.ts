import {StoreError, type ApiObject, type Store} from '../../../sdk/index.js';
import type {CachedObject} from '../cache/cached-object.js';
import type {StorageSettings} from '../storage-options.js';
import {encodeStoredValue} from '../cache/stored-value.js';
import type {TypeFeed} from '../follow/type-feed.js';
import type {WriteGuard} from './write-guard.js';

/** Commits changes of objects of one type. All methods reject with a `StatusError` 404 when the type is no longer served. */
export class ObjectWriter {
  readonly #feed: TypeFeed;
  readonly #store: Store;
  readonly #settings: StorageSettings;

  constructor(feed: TypeFeed, store: Store, settings: StorageSettings) {
    this.#feed = feed;
    this.#store = store;
    this.#settings = settings;
  }

  /** Commits an object. `expected` is the revision that it replaces, 0 if it must not exist; for `schemaMark` see `CachedObject`. */
  async write(key: string, object: ApiObject, expected: number, schemaMark: number, guard?: WriteGuard): Promise<CachedObject> {
    const feed = this.#feed;
    feed.checkServed();
    const held = guard?.of(feed.type, key);
    const value = encodeStoredValue(object, this.#settings.clock(), schemaMark, this.#versionLength());
    const pending = feed.pending.begin(key, value, object);
    try {
      const revision = await this.#store.commit({type: feed.type, key, expected, value: pending.stored, guard: held});
      const {cache} = feed;
      return feed.pending.answered(pending, revision, cache !== undefined && cache.revision < revision);
    } catch (error) {
      feed.pending.end(pending);
      noteFence(error, guard);
      throw error;
    }
  }

  /** Removes an object that is at revision `expected`. */
  async remove(key: string, expected: number, guard?: WriteGuard): Promise<{revision: number}> {
    if (expected < 1) throw new StoreError('Missing', `there is no ${key} at revision ${expected}`);
    const {type} = this.#feed;
    this.#feed.checkServed();
    try {
      return {revision: await this.#store.commit({type, key, expected, value: null, guard: guard?.of(type, key)})};
    } catch (error) {
      noteFence(error, guard);
      throw error;
    }
  }

  /** Digits of the next version, if the value stays in this process. A version that has more after all costs a copy of the value. */
  #versionLength(): number {
    return this.#store.keepsValues === true ? String(this.#feed.shard.position + 1).length : 0;
  }
}

function noteFence(error: unknown, guard: WriteGuard | undefined): void {
  if (StoreError.is(error) && error.code === 'Fenced') guard?.refused?.();
}
