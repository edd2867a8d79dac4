import {StoreError, type ApiObject, type Store} from '../../../sdk/index.js';
import type {CachedObject} from '../cache/cached-object.js';
import type {StorageSettings} from '../storage-options.js';
import {encodeStoredValue} from '../cache/stored-value.js';
import type {TypeFeed} from '../follow/type-feed.js';

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
  async write(key: string, object: ApiObject, expected: number, schemaMark: number): Promise<CachedObject> {
    const feed = this.#feed;
    feed.checkServed();
    const pending = feed.pending.begin(key, encodeStoredValue(object, this.#settings.clock(), schemaMark), object);
    try {
      const revision = await this.#store.commit({type: feed.type, key, expected, value: pending.stored});
      const {cache} = feed;
      return feed.pending.answered(pending, revision, cache !== undefined && cache.revision < revision);
    } catch (error) {
      feed.pending.end(pending);
      throw error;
    }
  }

  /** Removes an object that is at revision `expected`. */
  async remove(key: string, expected: number): Promise<{revision: number}> {
    if (expected < 1) throw new StoreError('Missing', `there is no ${key} at revision ${expected}`);
    this.#feed.checkServed();
    return {revision: await this.#store.commit({type: this.#feed.type, key, expected, value: null})};
  }
}
