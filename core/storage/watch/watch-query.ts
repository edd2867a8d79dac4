import type {Freshness} from '../follow/type-feed.js';
import type {Selection} from '../read/list-query.js';
import type {FrameEncoder} from './frame-encoder.js';

/**
 * Where a watch starts:
 * - `after`: with the changes after a revision; if it does not exist yet, the watch waits for it
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

/** Takes the bytes of one watch. Must not throw. */
export interface WatchSink {
  /**
   * Sends frames. All watches of the same query get the same buffer, which must not be changed.
   *
   * @param sizes lengths of the frames that carry changes
   */
  write(chunk: Buffer, sizes?: readonly number[]): void;
  /** Bytes written here that the operating system has not accepted yet. */
  readonly queuedBytes: number;
  /** Calls `resume` once when the queue is (nearly) empty. Without it, `queuedBytes` is polled. */
  onceDrained?(resume: () => void): void;
  /** Called each time the watch has caught up: all existing objects and the changes since are written. */
  caughtUp?(): void;
  /** The server ends the watch, after a last frame if given. */
  end(frame?: Buffer): void;
}

/** A running watch. */
export interface WatchHandle {
  /** Revision up to which everything was written to the sink. */
  readonly revision: number;
  /** Writes a bookmark with that revision, unless the watch is still busy with what existed before it began. */
  bookmark(): void;
  /** The client has disconnected: nothing more is written, and `end` is not called. */
  close(): void;
}
