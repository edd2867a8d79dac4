import {Backoff, StoreError, type LogEntry, type LogFollower, type Store} from '../../../sdk/index.js';
import {RevisionTimes} from './revision-times.js';
import {ShardWaiters} from './shard-waiters.js';
import type {StorageSettings} from '../storage-options.js';

/** Receives the changes of one type. Calls come in the order of the log. */
export interface LogSubscriber {
  onEntry(entry: LogEntry): void;
  /** All entries of a batch were delivered and the follower's position covers them. */
  onBatch(): void;
  /** The log broke off: everything read from it must be dropped. */
  onReset(error: Error): void;
}

/** Follows the log of one shard for all types that live in it, and starts over when it breaks off. */
export class ShardFollower {
  readonly times: RevisionTimes;
  readonly #waiters = new ShardWaiters();
  readonly #subscribers = new Map<string, LogSubscriber>();
  #follower: LogFollower | undefined;
  #connecting: Promise<void> | undefined;
  #retryTimer: NodeJS.Timeout | undefined;
  readonly #retries = new Backoff({initialMillis: 100, maximumMillis: 5000});
  #stopped = false;
  #epochChanged = false;
  #reached = 0;
  #forgotten = 0;
  #highest = 0;
  #epochChanges = 0;
  #breaks = 0;
  readonly #store: Store;
  readonly #settings: StorageSettings;

  constructor(
    store: Store,
    readonly shard: number,
    settings: StorageSettings,
  ) {
    this.#store = store;
    this.#settings = settings;
    this.times = new RevisionTimes(settings.historyMillis);
  }

  /** Revision up to which the log has been delivered. */
  get position(): number {
    return this.#reached;
  }

  get following(): boolean {
    return this.#follower !== undefined;
  }

  /** How often the store has lost its history, and how often following the log was interrupted, for that or another reason. */
  get interruptions(): {readonly epochChanges: number; readonly breaks: number} {
    return {epochChanges: this.#epochChanges, breaks: this.#breaks};
  }

  /** Revisions up to this one belong to a lost history and can never be served again. */
  get lostUpTo(): number {
    return this.#forgotten;
  }

  /** A revision that this server has seen and that the store has since lost. */
  isLost(revision: number): boolean {
    return revision > this.#reached && revision <= this.#highest;
  }

  /** The store's own revision, at least that of every write acknowledged before this call. */
  latest(): number | Promise<number> {
    return this.#store.revision(this.shard);
  }

  /** Resolves once the log is followed. Rejects with a `StoreError` if that fails now; it is retried in the background. */
  ensureFollowing(): Promise<void> {
    if (this.#follower) return Promise.resolve();
    if (this.#stopped) return Promise.reject(new StoreError('Closed', 'storage has been stopped'));
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
      if (!this.#follower) this.#retryLater();
    });
    return this.#connecting;
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#retryTimer);
    this.#follower?.close();
    this.#follower = undefined;
    this.#waiters.reject(new StoreError('Closed', 'storage has been stopped'));
  }

  subscribe(type: string, subscriber: LogSubscriber): void {
    this.#subscribers.set(type, subscriber);
  }

  unsubscribe(type: string, subscriber: LogSubscriber): void {
    if (this.#subscribers.get(type) === subscriber) this.#subscribers.delete(type);
  }

  /** Waits until the log has reached a revision: true, or false if that takes too long. */
  waitFor(revision: number): Promise<boolean> {
    if (this.#reached >= revision) return Promise.resolve(true);
    this.#follower?.hurry?.();
    return this.#waiters.wait(revision, this.#settings.waitMillis);
  }

  async #connect(): Promise<void> {
    clearTimeout(this.#retryTimer);
    const revision = await this.#store.revision(this.shard);
    if (this.#stopped) throw new StoreError('Closed', 'storage has been stopped');
    let ended: Error | undefined;
    let established = false;
    this.#reached = revision;
    this.#highest = Math.max(this.#highest, revision);
    const follower: LogFollower = await this.#store.follow(this.shard, revision, {
      wants: (type) => this.#subscribers.has(type),
      onEntries: (entries, upTo) => {
        if (!ended && !this.#stopped) this.#take(entries, upTo);
      },
      onEnd: (error) => {
        ended = error;
        if (established) this.#breakOff(error);
      },
    });
    if (ended) throw ended;
    if (this.#stopped) {
      follower.close();
      throw new StoreError('Closed', 'storage has been stopped');
    }
    const isNewHistory = this.#epochChanged;
    if (isNewHistory) this.#forgotten = revision;
    this.#epochChanged = false;
    this.#follower = follower;
    established = true;
    this.#retries.reset();
    this.times.add(this.#reached, this.#settings.clock());
    this.#waiters.reached(this.#reached);
    if (isNewHistory) this.#settings.onNewHistory?.();
  }

  #take(entries: readonly LogEntry[], upTo = entries.at(-1)?.revision): void {
    if (upTo === undefined) return;
    const touched = new Set<LogSubscriber>();
    for (const entry of entries) {
      const subscriber = this.#subscribers.get(entry.type);
      if (!subscriber) continue;
      touched.add(subscriber);
      subscriber.onEntry(entry);
    }
    this.#reached = upTo;
    this.#highest = Math.max(this.#highest, this.#reached);
    for (const subscriber of touched) subscriber.onBatch();
    this.#waiters.reached(this.#reached);
  }

  #breakOff(error: Error): void {
    this.#follower = undefined;
    const code = StoreError.is(error) ? error.code : 'Corrupt';
    if (code !== 'Closed') this.#settings.logger.warn({shard: this.shard, error}, 'the log of the store broke off; caches are built anew');
    if (code !== 'Closed') this.#breaks += 1;
    if (code === 'EpochChanged') {
      this.#epochChanges += 1;
      this.times.clear();
    }
    this.#waiters.reject(new StoreError('Unavailable', 'the history of the store is being read anew', {cause: error}));
    for (const subscriber of [...this.#subscribers.values()]) subscriber.onReset(error);
    if (code === 'Closed' || this.#stopped) return;
    this.#epochChanged ||= code === 'EpochChanged';
    // `retryLater` logs a failure and retries.
    this.ensureFollowing().catch(() => undefined);
  }

  #retryLater(): void {
    if (this.#stopped) return;
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => {
      this.ensureFollowing().catch((error: unknown) => {
        this.#settings.logger.warn({shard: this.shard, error}, 'the log of the store cannot be watched; retrying');
      });
    }, this.#retries.next());
    this.#retryTimer.unref();
  }
}
