import type {Freshness, Selection} from '../read/list-query.js';
import type {FrameEncoder} from './frame-encoder.js';

/**
 * Where a watch begins:
 * - `after`: with the changes after a revision; one that does not exist yet is waited for
 * - `initial`: with an `ADDED` event for every object of a state, then the changes after it
 * - `now`: with the changes after a state that is as new as `freshness` says
 */
export type WatchStart =
  | {readonly kind: 'after'; readonly revision: number}
  | {readonly kind: 'initial'; readonly freshness: Freshness}
  | {readonly kind: 'now'; readonly freshness: Freshness};

export interface WatchQuery extends Selection {
  readonly start: WatchStart;
  /** Send a bookmark about every minute. `WatchHandle.bookmark` works without it too. */
  readonly bookmarks: boolean;
  /** Send a bookmark that is marked as such after the initial events (`sendInitialEvents=true`). */
  readonly initialEventsEnd?: boolean;
  readonly encoder: FrameEncoder;
}

/** Takes the bytes of one watch. Nothing may be thrown. */
export interface WatchSink {
  /** Sends frames. All watches of the same query get the same buffer, which nobody may change. */
  write(chunk: Buffer): void;
  /** Bytes that were written here and are not yet taken over by the system. */
  readonly queuedBytes: number;
  /** Calls `resume` once when the queue has become (nearly) empty. Without it `queuedBytes` is looked at from time to time. */
  onceDrained?(resume: () => void): void;
  /** Called each time that everything has been written that there was: existing objects and the changes since. */
  caughtUp?(): void;
  /** The server ends the watch, after a last frame if there is one. */
  end(frame?: Buffer): void;
}

/** A watch that runs. */
export interface WatchHandle {
  /** Revision up to which everything was written to the sink. */
  readonly revision: number;
  /** Writes a bookmark with that revision, unless the watch is still busy with what existed before it began. */
  bookmark(): void;
  /** The client has gone: nothing more is written, and `end` is not called. */
  close(): void;
}
