import type {Logger} from '../../../sdk/index.js';
import {StorageError} from '../storage-error.js';
import type {ObjectSelector} from '../read/object-selector.js';
import type {FrameEncoder} from './frame-encoder.js';
import type {WatchBounds} from '../watch-bounds.js';
import type {WatchQuery, WatchSink} from './watch-query.js';

export interface WatcherOwner {
  /** Revision up to which live watchers have everything. */
  readonly sentUpTo: number;
  /** Revision of the cache; the changes in between are about to be sent. */
  readonly appliedUpTo: number;
  readonly bounds: WatchBounds;
  readonly logger: Logger;
  forget(watcher: Watcher): void;
}

/** One watch: its sink, and how far it has come. */
export class Watcher {
  readonly encoder: FrameEncoder;
  /** Set while existing objects or old events are being sent. */
  catchingUp = true;
  ended = false;
  /** Everything up to this revision was sent, or does not concern this watch. Live watchers may be further along. */
  position: number;
  /** Whether the next change is the first of the stream, which is encoded differently. */
  firstPending: boolean;
  /** When the next bookmark is due, in milliseconds since 1970. */
  bookmarkAt = Infinity;

  readonly #owner: WatcherOwner;

  constructor(
    owner: WatcherOwner,
    readonly query: WatchQuery,
    readonly selector: ObjectSelector,
    readonly sink: WatchSink,
    position: number,
  ) {
    this.#owner = owner;
    this.encoder = query.encoder;
    this.position = position;
    this.firstPending = query.encoder.encodeFirst !== undefined;
  }

  get revision(): number {
    return this.catchingUp ? this.position : Math.max(this.position, this.#owner.sentUpTo);
  }

  bookmark(): void {
    const {revision} = this;
    // A watch may start at a future revision.
    if (this.ended || this.catchingUp || revision > this.#owner.appliedUpTo) return;
    try {
      this.send(this.encoder.bookmark(revision, false));
    } catch (error) {
      this.fail(error);
    }
  }

  close(): void {
    if (this.ended) return;
    this.ended = true;
    this.#owner.forget(this);
  }

  /** Writes to a client that keeps up; ends the watch of one that does not. */
  send(chunk: Buffer, sizes?: readonly number[]): void {
    const queued = this.sink.queuedBytes;
    if (queued > 0 && queued + chunk.length > this.#owner.bounds.maximumQueuedBytes) {
      this.fail(new StorageError({code: 'WatchTooSlow'}));
    } else {
      this.write(chunk, sizes);
    }
  }

  /** Writes even if much is queued. A sink that throws counts as disconnected. */
  write(chunk: Buffer, sizes: readonly number[] | undefined): void {
    try {
      this.sink.write(chunk, sizes);
    } catch (error) {
      this.#owner.logger.warn({error}, 'a watch was dropped because its stream failed');
      this.end();
    }
  }

  /** Ends the watch with an event that says why: it cannot continue, or its events cannot be shown. */
  fail(error: unknown): void {
    if (!(error instanceof StorageError)) {
      this.#owner.logger.warn({error, encoder: this.encoder.key}, 'a watch ended because its events could not be made');
    }
    this.end(this.encoder.error(error));
  }

  end(frame?: Buffer): void {
    if (this.ended) return;
    this.close();
    try {
      this.sink.end(frame);
    } catch (error) {
      this.#owner.logger.warn({error}, 'the stream of a watch failed at its end');
    }
  }
}
