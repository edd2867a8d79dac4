import {StoreError, type LogEntry, type Store, type TypeHistory} from '../../../sdk/index.js';
import type {EntryContext} from '../cache/cached-entry.js';
import {PendingWrites} from './pending-writes.js';
import type {LogSubscriber, ShardFollower} from './shard-follower.js';
import type {StorageSettings} from '../storage-options.js';
import type {TypeCache} from '../cache/type-cache.js';
import {StorageError} from '../storage-error.js';
import {warmCache} from '../cache/warm-cache.js';
import type {WindowEvent} from '../cache/window-event.js';

/**
 * How new an answer must be: `any` never waits; `recent` shows every write that was acknowledged before the read began, by
 * any server on the store; `atLeast` is not older than a revision.
 */
export type Freshness = 'any' | 'recent' | {readonly atLeast: number};

/** Receives the changes of a type as they are applied to its cache. */
export interface ChangeListener {
  onChange(event: WindowEvent): void;
  /** All changes of a batch were delivered. */
  onBatch(): void;
  /** The cache was dropped; its successor will be unrelated to it. */
  onReset(error: Error): void;
  /** The type is no longer served, or the server stops: the last call. */
  onClose?(): void;
}

const warmUpAttempts = 5;

/** Keeps the cache of one type: fills it on first use, feeds it from the log, drops it when the log breaks off. */
export class TypeFeed implements LogSubscriber {
  readonly pending: PendingWrites;
  readonly listeners: ChangeListener[] = [];
  #current: TypeCache | undefined;
  #warming: Promise<void> | undefined;
  /** Entries that arrive while the cache is being filled. */
  #waiting: LogEntry[] | undefined;
  #generation = 0;
  #closed = false;
  #removed = false;
  readonly #store: Store;
  readonly #context: EntryContext;
  readonly #settings: StorageSettings;
  /** Stays with each cache. Not made where that is filled, because functions keep all that any function made beside them uses: the history that was read. */
  readonly #position = () => this.shard.position;

  constructor(
    readonly type: string,
    store: Store,
    readonly shard: ShardFollower,
    context: EntryContext,
    settings: StorageSettings,
  ) {
    this.#store = store;
    this.#context = context;
    this.#settings = settings;
    this.pending = new PendingWrites(context);
  }

  /** The cache if it is filled. */
  get cache(): TypeCache | undefined {
    return this.#current;
  }

  /**
   * The cache once it is as new as requested; synchronously if there is nothing to wait for.
   *
   * @throws StorageError `FutureRevision`, or `NotServed`
   * @throws StoreError `Unavailable` and other codes of the store
   */
  ready(freshness: Freshness): TypeCache | Promise<TypeCache> {
    const cache = this.#current;
    if (!cache) return this.#warmUp().then(() => this.ready(freshness));
    if (freshness === 'any') return cache;
    if (freshness !== 'recent') return cache.revision >= freshness.atLeast ? cache : this.#readyAt(freshness.atLeast);
    const latest = this.shard.latest();
    if (typeof latest !== 'number') return latest.then((revision) => this.#readyAfter(revision));
    return cache.revision >= latest ? cache : this.#readyAfter(latest);
  }

  onEntry(entry: LogEntry): void {
    if (this.#waiting) {
      this.#waiting.push(entry);
    } else if (this.#current) {
      try {
        this.#apply(this.#current, entry);
      } catch (error) {
        this.#fail(error);
      }
    }
  }

  onBatch(): void {
    if (this.#current) for (const listener of this.listeners) listener.onBatch();
  }

  onReset(error: Error): void {
    this.#drop();
    for (const listener of [...this.listeners]) listener.onReset(error);
  }

  /** Like `close`, for a type that is no longer served: callers that still hold it get a 404. */
  remove(): void {
    this.#removed = true;
    this.close();
  }

  /** @throws StorageError `NotServed` */
  checkServed(): void {
    if (this.#removed) throw new StorageError({code: 'NotServed'});
  }

  /** Drops the cache for good. */
  close(): void {
    this.#closed = true;
    this.#drop();
    for (const listener of [...this.listeners]) listener.onClose?.();
  }

  /** Drops the cache. The next use fills it again. */
  #drop(): void {
    this.#generation++;
    this.#current?.window.leave();
    this.#current = undefined;
    this.#waiting = undefined;
    this.pending.clear();
    this.#context.unreadable.forget();
    this.shard.unsubscribe(this.type, this);
  }

  async #readyAfter(revision: number): Promise<TypeCache> {
    const cache = this.#current;
    if (cache && cache.revision >= revision) return cache;
    if (!(await this.shard.waitFor(revision))) {
      throw new StoreError('Unavailable', `the cache has not come to revision ${revision} of the store in time`);
    }
    return this.ready({atLeast: revision});
  }

  async #readyAt(revision: number): Promise<TypeCache> {
    const reached = await this.shard.waitFor(revision);
    const cache = this.#current;
    if (cache && cache.revision >= revision) return cache;
    if (!reached) throw new StorageError({code: 'FutureRevision', requested: revision, current: this.shard.position});
    return this.ready({atLeast: revision});
  }

  #warmUp(): Promise<void> {
    this.#warming ??= this.#fill().finally(() => {
      this.#warming = undefined;
    });
    return this.#warming;
  }

  async #fill(): Promise<void> {
    for (let attempt = 1; attempt <= warmUpAttempts; attempt++) {
      await this.shard.ensureFollowing();
      this.checkServed();
      if (this.#closed) throw new StoreError('Closed', `${this.type} is no longer served`);
      const generation = ++this.#generation;
      this.#waiting = [];
      this.shard.subscribe(this.type, this);
      try {
        const contents = await this.#store.list(this.type);
        let history: TypeHistory | undefined;
        const task = this.#settings.scheduler.task('background', `filling the cache of ${this.type}`);
        const cache = await warmCache(
          this.#context,
          contents,
          async () => (history = await this.#store.history(this.type)),
          this.shard.lostUpTo,
          this.#position,
          this.#settings,
          task,
        );
        if (generation !== this.#generation || !cache) continue;
        for (const entry of this.#waiting) this.#apply(cache, entry);
        this.#waiting = undefined;
        this.shard.times.addHistory(history!.entries);
        cache.window.join(this.#settings.histories);
        this.#current = cache;
        return;
      } catch (error) {
        if (generation === this.#generation) {
          this.#waiting = undefined;
          this.shard.unsubscribe(this.type, this);
        }
        // What has been read belongs to a lost history: read again.
        if (StoreError.is(error) && error.code === 'EpochChanged' && attempt < warmUpAttempts) continue;
        throw error;
      }
    }
    throw new StoreError('Unavailable', `the store changed while the objects of ${this.type} were read from it`);
  }

  #apply(cache: TypeCache, entry: LogEntry): void {
    const event = cache.apply(entry, () => this.pending.entryFor(entry, entry.value!));
    if (event) for (const listener of this.listeners) listener.onChange(event);
  }

  /** The cache does not match the log: it is dropped, and filled again on next use. */
  #fail(error: unknown): void {
    this.#settings.logger.error({type: this.type, error}, 'the cache of a type does not fit the log of the store; it is built anew');
    this.onReset(error instanceof Error ? error : new Error(String(error)));
  }
}
