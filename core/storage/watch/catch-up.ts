import type {CachedEntry} from '../cached-entry.js';
import type {TypeCache} from '../type-cache.js';
import {watchTooOld} from '../version-errors.js';
import type {ChangeType} from './frame-encoder.js';
import {watchChange} from './watch-change.js';
import type {Watcher} from './watcher.js';

/** About as many bytes are written at once. */
const chunkBytes = 256 * 1024;
const eventsAtOnce = 512;
/** How often the queue of a sink is looked at that does not tell when it has drained. */
const pollMillis = 20;

/**
 * Brings a new watch from where it starts to where the others are: first the existing objects if it asks for them, then the
 * changes since. Takes care of a slow client by waiting, not by queueing: what it has yet to get stays in the cache.
 */
export class CatchUp {
  private nextItem = 0;
  private endMarkDue: boolean;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param items existing objects at the watcher's position; empty for a watch that resumes
   * @param done called once, in the turn in which the watcher has everything that the cache has
   */
  constructor(
    private readonly watcher: Watcher,
    private readonly cache: TypeCache,
    private items: readonly CachedEntry[],
    private readonly pauseAtQueuedBytes: number,
    private readonly done: () => void,
  ) {
    this.endMarkDue = watcher.query.initialEventsEnd === true && watcher.query.start.kind === 'initial';
  }

  /** Whether what is still to be sent has been dropped from the history in the meantime. */
  get outdated(): boolean {
    return this.watcher.position < this.cache.window.floor;
  }

  /** Sends until the client is slower or everything was sent. */
  run(): void {
    try {
      this.sendAll();
    } catch (error) {
      this.watcher.fail(error);
    }
  }

  private sendAll(): void {
    while (!this.watcher.ended) {
      if (this.outdated) return this.expire();
      const chunk = this.nextChunk();
      if (!chunk) return this.done();
      this.watcher.write(chunk);
      if (this.watcher.sink.queuedBytes >= this.pauseAtQueuedBytes) return this.pause();
    }
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  /** Ends the watch: it has fallen behind the history. */
  expire(): void {
    const {watcher, cache} = this;
    watcher.end(watcher.encoder.error(watchTooOld(watcher.position, cache.window.floor).toStatus()));
  }

  private pause(): void {
    const {watcher} = this;
    const {sink} = watcher;
    if (watcher.ended) return;
    if (sink.onceDrained) {
      sink.onceDrained(() => this.run());
      return;
    }
    this.timer = setTimeout(() => {
      if (sink.queuedBytes >= this.pauseAtQueuedBytes) this.pause();
      else this.run();
    }, pollMillis);
  }

  /** The next frames, or undefined when there are none. */
  private nextChunk(): Buffer | undefined {
    const frames: Buffer[] = [];
    let size = 0;
    const add = (frame: Buffer) => {
      frames.push(frame);
      size += frame.length;
    };
    while (this.nextItem < this.items.length && size < chunkBytes) add(this.encode('ADDED', this.items[this.nextItem++]!));
    if (this.nextItem < this.items.length) return Buffer.concat(frames, size);
    this.items = [];
    this.nextItem = 0;
    if (this.endMarkDue) {
      this.endMarkDue = false;
      add(this.watcher.encoder.bookmark(this.watcher.position, true));
    }
    while (size < chunkBytes) {
      const events = this.cache.window.after(this.watcher.position, eventsAtOnce);
      if (events.length === 0) break;
      for (const event of events) {
        const change = watchChange(event, this.watcher.selector);
        if (change) add(this.encode(change.type, change.object));
      }
      this.watcher.position = events.at(-1)!.revision;
    }
    return size === 0 ? undefined : Buffer.concat(frames, size);
  }

  private encode(type: ChangeType, object: CachedEntry): Buffer {
    const {watcher} = this;
    if (!watcher.firstPending) return watcher.encoder.encode(type, object);
    watcher.firstPending = false;
    return watcher.encoder.encodeFirst!(type, object);
  }
}
