import type {CachedEntry} from '../cache/cached-entry.js';
import type {CachedObject} from '../cache/cached-object.js';
import type {SortedTree} from '../cache/sorted-tree.js';
import type {TypeCache} from '../cache/type-cache.js';
import type {Task} from '../../../sdk/index.js';
import {selectObjects} from '../read/select-objects.js';
import {StorageError} from '../storage-error.js';
import type {ChangeType} from './frame-encoder.js';
import {seenObjects, watchChange} from './watch-change.js';
import type {Watcher} from './watcher.js';

/** Approximate number of bytes written at once. */
const chunkBytes = 256 * 1024;
const eventsAtOnce = 512;
/** Number of objects that a view makes ready in one step. */
const objectsAtOnce = 500;
/** Number of candidates that are compared between two looks at the clock. */
const comparedAtOnce = 100;
/** How often to check the queue of a sink that does not signal when it has drained. */
const pollMillis = 20;

/** The objects of a state among which those are that a watch begins with, in order of their keys. */
export interface Candidates {
  /** A state that does not change. */
  readonly tree: SortedTree;
  readonly namespaced: boolean;
  /** Spreads the search over turns of the event loop. */
  readonly task: Task;
}

/**
 * Brings a new watch up to date: first the existing objects if requested, then the changes since. For a slow client, and while many objects are searched, it waits instead of
 * queueing: events that have not been sent stay in the cache.
 */
export class CatchUp {
  #nextItem = 0;
  #items: readonly CachedEntry[] = [];
  /** What is still to be searched. */
  #candidates: Candidates | undefined;
  /** The last of them that is among the items. */
  #searchedTo: string | undefined;
  /** Whether the items have still to be compared with the selectors. */
  readonly #compares: boolean;
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
   * @param initial existing objects at the watcher's position, found or to be found; undefined for a watch that only wants the changes after it
   * @param done called once, in the turn in which the watcher has caught up with the cache
   */
  constructor(
    watcher: Watcher,
    cache: TypeCache,
    initial: readonly CachedEntry[] | Candidates | undefined,
    pauseAtQueuedBytes: number,
    done: () => void,
  ) {
    this.#watcher = watcher;
    this.#cache = cache;
    this.#pauseAtQueuedBytes = pauseAtQueuedBytes;
    this.#done = done;
    if (initial && 'tree' in initial) this.#candidates = initial;
    else this.#items = initial ?? [];
    this.#compares = this.#candidates !== undefined || watcher.selector.view !== undefined;
    this.#endMarkDue = watcher.query.initialEventsEnd === true && initial !== undefined;
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
      const waiting = this.#search() ?? this.#makeReady();
      if (waiting) {
        waiting.then(
          () => this.run(),
          (error: unknown) => this.#watcher.fail(error),
        );
        return;
      }
      const chunk = this.#nextChunk();
      if (!chunk && (this.#blocked || this.#candidates)) continue;
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

  /** Takes the next candidates for items, once all items have been sent; returns a promise first if others should go on before that. */
  #search(): Promise<void> | undefined {
    const {tree, namespaced, task} = this.#candidates ?? {};
    if (!tree || this.#nextItem < this.#items.length) return undefined;
    const turn = task!.yieldIfDue();
    if (turn) return turn;
    const {selector} = this.#watcher;
    const atOnce = selector.view ? objectsAtOnce : comparedAtOnce;
    const {items, more} = selectObjects(tree, selector, namespaced!, this.#searchedTo, atOnce, true);
    this.#items = items;
    this.#nextItem = 0;
    this.#searchedTo = items.at(-1)?.key;
    if (!more) this.#candidates = undefined;
    return undefined;
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
      if (!this.#compares || selector.matchesSelectors(item)) add(this.#encode('ADDED', item));
    }
    if (this.#nextItem < this.#items.length || this.#candidates) return size === 0 ? undefined : Buffer.concat(frames, size);
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
