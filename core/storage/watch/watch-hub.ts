import {StoreError} from '../../../sdk/index.js';
import type {CachedEntry} from '../cache/cached-entry.js';
import {ObjectSelector} from '../read/object-selector.js';
import {comparedAtOnce, selectObjects} from '../read/select-objects.js';
import type {StorageSettings} from '../storage-options.js';
import type {TypeCache} from '../cache/type-cache.js';
import type {ChangeListener} from '../follow/type-feed.js';
import {StorageError} from '../storage-error.js';
import type {WindowEvent} from '../cache/window-event.js';
import {CatchUp, type Candidates} from './catch-up.js';
import {ChannelIndex} from './channel-index.js';
import type {ChangeCollector} from '../flush-timer.js';
import {WatchChannel, type FrameMemo} from './watch-channel.js';
import {Watcher, type WatcherOwner} from './watcher.js';
import type {WatchHandle, WatchQuery, WatchSink} from './watch-query.js';

/** All watches of one type. Collects changes for a moment and delivers them channel by channel. */
export class WatchHub implements ChangeListener, ChangeCollector, WatcherOwner {
  readonly #channels: ChannelIndex;
  readonly #catchingUp = new Map<Watcher, CatchUp>();
  #pending: WindowEvent[] = [];
  #live = 0;
  #closing = false;
  /** Watches that want bookmarks, in no order. */
  readonly #bookmarked = new Set<Watcher>();
  readonly #cache: () => TypeCache | undefined;
  readonly #namespaced: boolean;
  readonly #settings: StorageSettings;

  /** @param cache the cache of the type if it is filled */
  constructor(cache: () => TypeCache | undefined, namespaced: boolean, settings: StorageSettings) {
    this.#cache = cache;
    this.#namespaced = namespaced;
    this.#settings = settings;
    this.#channels = new ChannelIndex(namespaced);
  }

  get bounds() {
    return this.#settings;
  }

  get logger() {
    return this.#settings.logger;
  }

  /** Number of watches. */
  get size(): number {
    return this.#live + this.#catchingUp.size;
  }

  get appliedUpTo(): number {
    return this.#cache()?.revision ?? 0;
  }

  get oldestCollected(): number {
    return this.#pending[0]?.revision ?? Infinity;
  }

  get sentUpTo(): number {
    const [first] = this.#pending;
    return first ? first.revision - 1 : this.appliedUpTo;
  }

  /**
   * Starts a watch on a cache that is as new as the query asks for.
   *
   * @throws StorageError `WatchTooOld`
   * @throws StoreError `Closed` after `close`
   */
  open(cache: TypeCache, query: WatchQuery, sink: WatchSink): WatchHandle {
    if (this.#closing) throw new StoreError('Closed', 'watches have ended');
    const selector = new ObjectSelector(query, this.#namespaced);
    const {start} = query;
    const position = start.kind === 'after' ? start.revision : cache.revision;
    if (position < cache.window.floor) throw new StorageError({code: 'WatchTooOld', requested: position, oldest: cache.window.floor});
    const watcher = new Watcher(this, query, selector, sink, position);
    const initial = start.kind === 'initial' ? this.#select(cache, selector) : undefined;
    if (query.bookmarks) {
      this.#bookmarked.add(watcher);
      watcher.bookmarkAt = this.#nextBookmark(this.#settings.clock());
    }
    this.#catchUp(watcher, cache, initial);
    return watcher;
  }

  forget(watcher: Watcher): void {
    this.#bookmarked.delete(watcher);
    const catchUp = this.#catchingUp.get(watcher);
    if (catchUp) {
      catchUp.stop();
      this.#catchingUp.delete(watcher);
      return;
    }
    const channel = this.#channels.get(channelId(watcher));
    if (!channel?.watchers.delete(watcher)) return;
    this.#live--;
    if (channel.watchers.size === 0) this.#channels.remove(channel);
  }

  onChange(event: WindowEvent): void {
    if (this.#live > 0) this.#pending.push(event);
  }

  onBatch(): void {
    if (this.#pending.length > 0) this.#settings.deliveries.request(this);
  }

  onReset(): void {
    this.endAll(new StorageError({code: 'HistoryLost'}));
  }

  /** Sends the bookmarks that are due at `now` (milliseconds since 1970) and ends watches that have fallen behind the history. */
  tick(now: number): void {
    for (const watcher of this.#bookmarked) {
      if (now < watcher.bookmarkAt) continue;
      watcher.bookmarkAt = this.#nextBookmark(now);
      watcher.bookmark();
    }
    for (const catchUp of this.#catchingUp.values()) if (catchUp.outdated) catchUp.expire();
  }

  /** Ends all watches, with an error event if one is given. */
  endAll(error?: StorageError): void {
    this.#settings.deliveries.cancel(this);
    this.#pending = [];
    for (const watcher of this.#watchers()) watcher.end(error && watcher.encoder.error(error));
  }

  /** Ends all watches without an error, after sending the collected changes, and starts no new ones. */
  close(): void {
    this.#closing = true;
    this.flush();
    this.endAll();
  }

  *#watchers(): Iterable<Watcher> {
    yield* [...this.#catchingUp.keys()];
    for (const channel of [...this.#channels.all()]) yield* [...channel.watchers];
  }

  /** What a watch begins with. Among many objects it is searched while it is sent. */
  #select(cache: TypeCache, selector: ObjectSelector): readonly CachedEntry[] | Candidates {
    const indexed =
      selector.filtered && !selector.view ? cache.valueIndex.candidates(selector, cache.tree, this.#settings.clock()) : undefined;
    const tree = indexed ?? cache.tree;
    if (tree.size <= comparedAtOnce) return selectObjects(tree, selector, this.#namespaced, undefined, Infinity).items;
    const task = this.#settings.scheduler.task('request', 'initial objects of a watch');
    return {tree: tree.clone(), namespaced: this.#namespaced, task};
  }

  #catchUp(watcher: Watcher, cache: TypeCache, initial?: readonly CachedEntry[] | Candidates): void {
    watcher.catchingUp = true;
    const catchUp = new CatchUp(watcher, cache, initial, this.#settings.pauseAtQueuedBytes, () => this.#join(watcher));
    this.#catchingUp.set(watcher, catchUp);
    catchUp.run();
  }

  /**
   * The watcher has caught up with the cache: from now on it gets the events of its channel, except those collected before its
   * position.
   */
  #join(watcher: Watcher): void {
    this.#catchingUp.delete(watcher);
    watcher.catchingUp = false;
    const id = channelId(watcher);
    let channel = this.#channels.get(id);
    if (!channel) this.#channels.add((channel = new WatchChannel(id, watcher.selector, watcher.encoder, watcher.query.view)));
    channel.watchers.add(watcher);
    this.#live++;
    watcher.sink.caughtUp?.();
  }

  flush(): void {
    const events = this.#pending;
    this.#pending = [];
    const concerned = new Set<WatchChannel>();
    /** Channels that must wait before they can show a change, with the revision up to which they have everything. */
    const waiting = new Map<WatchChannel, number>();
    for (const event of events) {
      const memo: FrameMemo = new Map();
      this.#channels.visit(event.key, (channel) => {
        if (waiting.has(channel)) return;
        try {
          if (!channel.isReady(event)) return void waiting.set(channel, event.revision - 1);
          if (channel.collect(event, memo)) concerned.add(channel);
        } catch (error) {
          fail(channel, error);
        }
      });
    }
    for (const channel of concerned) {
      try {
        channel.deliver();
      } catch (error) {
        fail(channel, error);
      }
    }
    for (const [channel, position] of waiting) this.#fallBack(channel, position);
    if (concerned.size > 0) this.#observeDelay(events);
  }

  /** Counts all changes of a flush, including those that no watch selects. */
  #observeDelay(events: readonly WindowEvent[]): void {
    const {watchDelay, clock} = this.#settings;
    if (!watchDelay) return;
    const now = clock();
    // Clocks of two machines differ.
    for (const {time} of events) watchDelay.observe(Math.max(0, now - time) / 1000);
  }

  /** The watches of a channel catch up like new ones, because their next objects must be prepared. */
  #fallBack(channel: WatchChannel, position: number): void {
    const cache = this.#cache();
    if (!cache || channel.watchers.size === 0) return;
    this.#channels.remove(channel);
    this.#live -= channel.watchers.size;
    for (const watcher of channel.watchers) {
      watcher.position = Math.max(watcher.position, position);
      this.#catchUp(watcher, cache);
    }
  }

  #nextBookmark(now: number): number {
    return now + this.#settings.bookmarkMillis * (0.75 + Math.random() / 4);
  }
}

/** If a representation cannot be encoded, only the watches that asked for it end. */
function fail(channel: WatchChannel, error: unknown): void {
  channel.clear();
  for (const watcher of [...channel.watchers]) watcher.fail(error);
}

function channelId(watcher: Watcher): string {
  return `${watcher.encoder.key}|${watcher.selector.id}`;
}
