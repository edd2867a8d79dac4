import type {ResourceObject} from '../../types/resource-handle.js';
import {abortableDelay} from '../abortable-delay.js';
import type {SelectOptions, PageOptions, WatchOptions} from '../options.js';
import {isExpired} from '../pages.js';
import type {ListOf, ResourceEvent} from '../../objects/resource-objects.js';
import {Backoff, type BackoffOptions} from '../../values/backoff.js';
import {InformerHandlers, type InformerHandler} from './informer-handlers.js';
import {keyOf, ObjectCache, type CacheReader, type IndexFunctions} from './object-cache.js';

/** The source of an informer's objects: a `ResourceApi`. */
interface ObjectSource<T> {
  listAll(options: Omit<PageOptions, 'onExpired'>): Promise<ListOf<T>>;
  watch(options: WatchOptions): AsyncIterable<ResourceEvent<T>>;
}

export interface InformerOptions<T> extends Omit<SelectOptions, 'signal'> {
  /** Objects per page of the initial list; 500 by default. */
  readonly pageSize?: number;
  /** Interval at which all objects are passed to `update` again; never by default. */
  readonly resyncMillis?: number;
  /** Additional indexes for look-ups: `cache.by(NAME, VALUE)`. */
  readonly indexes?: IndexFunctions<T>;
  /** Minimum time after which the server is asked to end a watch, which is then restarted; 300 s by default. */
  readonly watchSeconds?: number;
  readonly backoff?: BackoffOptions;
  /** Called with errors: lists and watches that failed and are retried, handlers that threw. A process warning by default. */
  readonly onError?: (error: unknown) => void;
}

/** A watch that is this late in ending has lost its server. */
const overdueMillis = 30_000;

/** A watch that lasted this long worked, even if nothing happened. */
const steadyMillis = 5000;

/**
 * Keeps the objects of a collection in memory: lists it, watches its changes, and resumes after a lost connection. If the server no longer
 * has the changes since then (410), the collection is listed again and handlers are notified of the differences.
 */
export class Informer<T extends ResourceObject> implements AsyncDisposable {
  readonly #cache: ObjectCache<T>;
  readonly #handlers: InformerHandlers<T>;
  readonly #onError: (error: unknown) => void;
  readonly #stopping = new AbortController();
  readonly #firstList = Promise.withResolvers<void>();
  #running: Promise<void> | undefined;
  #synced = false;
  /** The cache is complete up to this version; undefined if the collection must be listed. */
  #version: string | undefined;
  readonly #source: ObjectSource<T>;
  readonly #options: InformerOptions<T>;

  constructor(source: ObjectSource<T>, options: InformerOptions<T> = {}) {
    this.#source = source;
    this.#options = options;
    this.#onError = options.onError ?? ((error) => process.emitWarning(error instanceof Error ? error : String(error)));
    this.#cache = new ObjectCache(options.indexes);
    this.#handlers = new InformerHandlers(this.#onError);
    // Callers need not wait for it.
    this.#firstList.promise.catch(() => undefined);
  }

  get cache(): CacheReader<T> {
    return this.#cache;
  }

  /** Whether the cache has been complete at least once and every handler has been notified. */
  get hasSynced(): boolean {
    return this.#synced;
  }

  /** The version up to which the cache is complete; undefined until the first list, and while another is needed. */
  get resourceVersion(): string | undefined {
    return this.#version;
  }

  /** Adds a handler, which immediately gets an `add` for each existing object. Returns a function that removes it. */
  on(handler: InformerHandler<T>): () => void {
    return this.#handlers.add(handler, this.#cache.list());
  }

  /** Starts. Further calls have no effect. @throws Error if the informer was stopped */
  start(): this {
    if (this.#stopping.signal.aborted) throw new Error('the informer was stopped');
    this.#running ??= this.#run();
    return this;
  }

  /** Resolves when `hasSynced` is true. @throws Error if the informer is stopped first; the signal's reason if it fires */
  async synced(signal?: AbortSignal): Promise<void> {
    if (!signal) return this.#firstList.promise;
    signal.throwIfAborted();
    const aborted = Promise.withResolvers<never>();
    const abort = () => aborted.reject(signal.reason);
    signal.addEventListener('abort', abort, {once: true});
    try {
      await Promise.race([this.#firstList.promise, aborted.promise]);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** Stops permanently. No handler is called after it resolves. */
  async stop(): Promise<void> {
    const stopped = new Error('the informer was stopped');
    this.#stopping.abort(stopped);
    this.#firstList.reject(stopped);
    await this.#running;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #run(): Promise<void> {
    const {signal} = this.#stopping;
    const backoff = new Backoff(this.#options.backoff);
    const {resyncMillis = 0} = this.#options;
    const resync = resyncMillis > 0 ? setInterval(() => this.#resync(), resyncMillis) : undefined;
    try {
      while (!signal.aborted) {
        const wentOn = await this.#round();
        if (wentOn) backoff.reset();
        else await abortableDelay(backoff.next(), signal).catch(() => undefined);
      }
    } finally {
      clearInterval(resync);
    }
  }

  /** A list if needed, and one watch. Returns whether the next round may start immediately, because this one succeeded. */
  async #round(): Promise<boolean> {
    const {signal} = this.#stopping;
    const mustList = this.#version === undefined;
    let watchedSince = Infinity;
    let gotEvents = false;
    try {
      if (mustList) this.#replace(await this.#source.listAll({...this.#selectors(), limit: this.#options.pageSize ?? 500, signal}));
      watchedSince = performance.now();
      for await (const event of this.#watch()) {
        if (signal.aborted) break;
        this.#take(event);
        gotEvents = true;
      }
    } catch (error) {
      if (signal.aborted) return false;
      if (isExpired(error)) {
        this.#version = undefined;
        // Versions expire normally, unless they were listed a moment ago.
        if (gotEvents || !mustList) return true;
      }
      this.#onError(error);
    }
    return gotEvents || performance.now() - watchedSince > steadyMillis;
  }

  async *#watch(): AsyncGenerator<ResourceEvent<T>, void, undefined> {
    const {watchSeconds = 300} = this.#options;
    // Randomized, so that informers do not reconnect at the same time.
    const timeoutSeconds = Math.ceil(watchSeconds * (1 + Math.random()));
    const overdue = AbortSignal.timeout(timeoutSeconds * 1000 + overdueMillis);
    const signal = AbortSignal.any([this.#stopping.signal, overdue]);
    yield* this.#source.watch({...this.#selectors(), resourceVersion: this.#version, allowWatchBookmarks: true, timeoutSeconds, signal});
  }

  #selectors(): Omit<SelectOptions, 'signal'> {
    const {labelSelector, fieldSelector} = this.#options;
    return {...(labelSelector === undefined ? {} : {labelSelector}), ...(fieldSelector === undefined ? {} : {fieldSelector})};
  }

  #take({type, object}: ResourceEvent<T>): void {
    if (type === 'DELETED') {
      if (this.#cache.remove(object)) this.#handlers.deleted(object);
    } else if (type !== 'BOOKMARK') {
      this.#put(object, false);
    }
    this.#version = object.metadata?.resourceVersion ?? this.#version;
  }

  #put(object: T, initial: boolean): void {
    const old = this.#cache.set(object);
    if (!old) {
      this.#handlers.added(object, initial);
    } else if (old.metadata?.uid !== object.metadata?.uid) {
      // Deleted and recreated in the meantime.
      this.#handlers.deleted(old);
      this.#handlers.added(object, initial);
    } else if (old.metadata?.resourceVersion !== object.metadata?.resourceVersion) {
      this.#handlers.updated(object, old);
    }
  }

  /** Replaces the cache with the content of a list. */
  #replace(list: ListOf<T>): void {
    const initial = !this.#synced;
    const present = new Set(list.items.map(keyOf));
    for (const object of this.#cache.list()) {
      if (present.has(keyOf(object))) continue;
      this.#cache.remove(object);
      this.#handlers.deleted(object);
    }
    for (const object of list.items) this.#put(object, initial);
    this.#version = list.metadata.resourceVersion;
    if (initial) {
      this.#synced = true;
      this.#firstList.resolve();
    }
  }

  #resync(): void {
    for (const object of this.#cache.list()) this.#handlers.updated(object, object);
  }
}
