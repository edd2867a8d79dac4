import type {CachedEntry} from '../cache/cached-entry.js';
import type {CachedObject} from '../cache/cached-object.js';
import type {TypeCache} from '../cache/type-cache.js';
import {StorageError} from '../storage-error.js';
import type {ChangeType} from './frame-encoder.js';
import {seenObjects, watchChange} from './watch-change.js';
import type {Watcher} from './watcher.js';

/** Approximate number of bytes written at once. */
const chunkBytes = 256 * 1024;
const eventsAtOnce = 512;
/** Number of objects that a view makes ready in one step. */
const objectsAtOnce = 500;
/** How often to check the queue of a sink that does not signal when it has drained. */
const pollMillis = 20;

/**
 * Brings a new watch up to date: first the existing objects if requested, then the changes since. For a slow client it waits instead of
 * queueing: events that have not been sent stay in the cache.
 */
export class CatchUp {
  #nextItem = 0;
  #items: readonly CachedEntry[];
  /** The last chunk ended at an object that must first be made ready. */
  #blocked = false;
  #endMarkDue: boolean;
  #timer: NodeJS.Timeout | undefined;
  /** Lengths of the frames that carry changes, of the chunk that is being made. */
  #sizes: number[] = [];
  readonly #watcher: Watcher;
  readonly #cache: TypeCache;
  readonly #pauseAtQueuedBytes: number;
  readonly #done: () => void;

  /**
   * @param items existing objects at the watcher's position; undefined for a watch that only wants the changes after it
   * @param done called once, in the turn in which the watcher has caught up with the cache
   */
  constructor(watcher: Watcher, cache: TypeCache, items: readonly CachedEntry[] | undefined, pauseAtQueuedBytes: number, done: () => void) {
    this.#watcher = watcher;
    this.#cache = cache;
    this.#pauseAtQueuedBytes = pauseAtQueuedBytes;
    this.#done = done;
    this.#items = items ?? [];
    this.#endMarkDue = watcher.query.initialEventsEnd === true && items !== undefined;
  }

  /** Whether the events still to be sent have been dropped from the history. */
  get outdated(): boolean {
    return this.#watcher.position < this.#cache.window.floor;
  }

  /** Sends until the client falls behind or everything has been sent. */
  run(): void {
    try {
      this.#sendAll();
    } catch (error) {
      this.#watcher.fail(error);
    }
  }

  #sendAll(): void {
    while (!this.#watcher.ended) {
      if (this.outdated) return this.expire();
      const waiting = this.#makeReady();
      if (waiting) {
        waiting.then(
          () => this.run(),
          (error: unknown) => this.#watcher.fail(error),
        );
        return;
      }
      const chunk = this.#nextChunk();
      if (!chunk && this.#blocked) continue;
      if (!chunk) return this.#done();
      this.#watcher.write(chunk, this.#sizes);
      if (this.#watcher.sink.queuedBytes >= this.#pauseAtQueuedBytes) return this.#pause();
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Ends the watch because it has fallen behind the history. */
  expire(): void {
    const watcher = this.#watcher;
    const cache = this.#cache;
    watcher.fail(new StorageError({code: 'WatchTooOld', requested: watcher.position, oldest: cache.window.floor}));
  }

  #pause(): void {
    const watcher = this.#watcher;
    const {sink} = watcher;
    if (watcher.ended) return;
    if (sink.onceDrained) {
      sink.onceDrained(() => this.run());
      return;
    }
    this.#timer = setTimeout(() => {
      if (sink.queuedBytes >= this.#pauseAtQueuedBytes) this.#pause();
      else this.run();
    }, pollMillis);
  }

  /** Prepares the next objects in the view of the watch; undefined if they are ready. */
  #makeReady(): Promise<void> | undefined {
    const {query, selector, position} = this.#watcher;
    if (!query.view) return undefined;
    const items: readonly CachedObject[] = this.#items.slice(this.#nextItem, this.#nextItem + objectsAtOnce);
    if (items.length > 0) return query.view.prepare(items);
    return query.view.prepare(this.#cache.window.after(position, objectsAtOnce / 2).flatMap((event) => seenObjects(event, selector)));
  }

  /** The next frames that can be encoded synchronously, or undefined if there are none. */
  #nextChunk(): Buffer | undefined {
    const {selector, query} = this.#watcher;
    const {view} = query;
    this.#blocked = false;
    this.#sizes = [];
    const frames: Buffer[] = [];
    let size = 0;
    const add = (frame: Buffer) => {
      frames.push(frame);
      size += frame.length;
    };
    for (; this.#nextItem < this.#items.length && size < chunkBytes; this.#nextItem++) {
      const item = this.#items[this.#nextItem]!;
      if (view && !view.isReady(item)) {
        this.#blocked = true;
        break;
      }
      if (!selector.view || selector.matchesSelectors(item)) add(this.#encode('ADDED', item));
    }
    if (this.#nextItem < this.#items.length) return size === 0 ? undefined : Buffer.concat(frames, size);
    this.#items = [];
    this.#nextItem = 0;
    if (this.#endMarkDue) {
      this.#endMarkDue = false;
      add(this.#watcher.encoder.bookmark(this.#watcher.position, true));
    }
    while (size < chunkBytes && !this.#blocked) {
      const events = this.#cache.window.after(this.#watcher.position, eventsAtOnce);
      if (events.length === 0) break;
      for (const event of events) {
        if (view && !seenObjects(event, selector).every((object) => view.isReady(object))) {
          this.#blocked = true;
          break;
        }
        const change = watchChange(event, selector, view);
        if (change) add(this.#encode(change.type, change.object));
        this.#watcher.position = event.revision;
      }
    }
    return size === 0 ? undefined : Buffer.concat(frames, size);
  }

  #encode(type: ChangeType, object: CachedObject): Buffer {
    const watcher = this.#watcher;
    const frame = watcher.firstPending ? watcher.encoder.encodeFirst!(type, object) : watcher.encoder.encode(type, object);
    watcher.firstPending = false;
    this.#sizes.push(frame.length);
    return frame;
  }
}
