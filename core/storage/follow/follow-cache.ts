import {setTimeout as delay} from 'node:timers/promises';
import {Backoff, StoreError, type CacheFollower, type Logger, type ObjectInCache, type Scheduler} from '../../../sdk/index.js';
import {StorageError} from '../storage-error.js';
import type {TypeCache} from '../cache/type-cache.js';
import type {WindowEvent} from '../cache/window-event.js';
import type {ChangeListener, TypeFeed} from './type-feed.js';

/** Objects passed on between two reads of the clock. */
const objectsBetweenLooks = 32;

interface FollowerParts {
  readonly logger: Logger;
  readonly scheduler: Scheduler;
}

/** Passes the objects of a type's cache and then each change to a follower, until `signal` fires. Starts over when the cache was dropped. */
export function followCache(feed: TypeFeed, follower: CacheFollower, {logger, scheduler}: FollowerParts, signal: AbortSignal): void {
  if (signal.aborted) return;
  const following = new CacheFollowing(feed, follower, logger, scheduler);
  feed.listeners.push(following);
  signal.addEventListener(
    'abort',
    () => {
      following.stop();
      feed.listeners.splice(feed.listeners.indexOf(following), 1);
    },
    {once: true},
  );
  void following.list();
}

class CacheFollowing implements ChangeListener {
  /** Grows when the cache is dropped, which ends work on an earlier one. */
  #round = 0;
  /** Whether changes are passed on: the initial objects have been, or are being, passed on. */
  #live = false;
  #ended = false;
  /** The cache that is being passed on, and is left as it is when another one takes its place. */
  #cache: TypeCache | undefined;
  readonly #backoff = new Backoff({initialMillis: 50, maximumMillis: 10_000});
  readonly #feed: TypeFeed;
  readonly #follower: CacheFollower;
  readonly #logger: Logger;
  readonly #scheduler: Scheduler;

  constructor(feed: TypeFeed, follower: CacheFollower, logger: Logger, scheduler: Scheduler) {
    this.#feed = feed;
    this.#follower = follower;
    this.#logger = logger;
    this.#scheduler = scheduler;
  }

  onChange({object, previous}: WindowEvent): void {
    if (!this.#live) return;
    const before = previous?.fault === undefined ? previous : undefined;
    // As `#notify`, without a closure for each change of each type.
    try {
      if (!object) {
        if (before) this.#follower.deleted(before);
      } else if (object.fault === undefined) {
        this.#follower.changed(object, before);
      }
    } catch (error) {
      this.#failed(error);
    }
  }

  onBatch(): void {}

  onReset(): void {
    if (this.#ended) return;
    this.#round += 1;
    const known = this.#leave();
    if (this.#live) this.#notify(() => this.#follower.reset(known));
    this.#live = false;
    void this.list();
  }

  onClose(): void {
    if (this.#ended) return;
    this.stop();
    const known = this.#leave();
    this.#notify(() => this.#follower.ended(known));
  }

  stop(): void {
    this.#ended = true;
    this.#live = false;
    this.#round += 1;
  }

  /** What may have been reported to the follower. */
  #leave(): Iterable<ObjectInCache> {
    const cache = this.#cache;
    this.#cache = undefined;
    return cache ? readableOf(cache) : [];
  }

  /** Passes on all objects, a few at a time. Never rejects. */
  async list(): Promise<void> {
    const round = this.#round;
    while (!this.#ended && round === this.#round) {
      try {
        await this.#listOnce(round);
        return;
      } catch (error) {
        if (this.#ended || round !== this.#round) return;
        // The type ends, or the server does: `onClose` comes, or has come before this began.
        if (error instanceof StorageError || (StoreError.is(error) && error.code === 'Closed')) return this.onClose();
        this.#logger.warn({type: this.#feed.type, error}, 'objects cannot be followed now; it is tried again');
        await delay(this.#backoff.next(), undefined, {ref: false});
      }
    }
  }

  async #listOnce(round: number): Promise<void> {
    const cache = await this.#feed.ready('any');
    if (round !== this.#round) return;
    this.#live = true;
    this.#cache = cache;
    this.#backoff.reset();
    // Takes constant time; the tree itself may change during the iteration.
    const tree = cache.tree.clone();
    const task = this.#scheduler.task('background', `telling a follower of ${this.#feed.type}`);
    let untilLook = objectsBetweenLooks;
    for (const entry of tree.values()) {
      // An object that has changed since then has been passed on in its later state.
      if (entry.fault === undefined && cache.tree.get(entry.key) === entry) this.#notify(() => this.#follower.changed(entry));
      if (--untilLook > 0) continue;
      untilLook = objectsBetweenLooks;
      await task.yieldIfDue();
      if (round !== this.#round) return;
    }
    this.#notify(() => this.#follower.listed());
  }

  /** A follower that throws must not spoil the cache. */
  #notify(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    this.#logger.error({type: this.#feed.type, error}, 'a follower of objects failed');
  }
}

function* readableOf({tree}: TypeCache): Iterable<ObjectInCache> {
  for (const entry of tree.values()) if (entry.fault === undefined) yield entry;
}
