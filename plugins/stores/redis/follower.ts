import type {LogEntry, LogFollower, LogListener, Logger} from '../../../sdk/index.js';

/** One listener of a shard's log and how far it has got. */
export class Follower implements LogFollower {
  #position: number;
  #closed = false;
  readonly #listener: LogListener;
  readonly #logger: Logger;
  readonly #onClosed: (follower: Follower) => void;

  /** `closed` is called once, when the follower has ended in whichever way. */
  constructor(after: number, listener: LogListener, logger: Logger, closed: (follower: Follower) => void) {
    this.#listener = listener;
    this.#logger = logger;
    this.#onClosed = closed;
    this.#position = after;
  }

  /** The last revision that was delivered, or the one from which it started. */
  get position(): number {
    return this.#position;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Delivers entries, in ascending order; those that the listener has already are left out. */
  deliver(entries: readonly LogEntry[]): void {
    const from = entries.findIndex((entry) => entry.revision > this.#position);
    if (this.#closed || from < 0) return;
    this.#position = entries.at(-1)!.revision;
    try {
      this.#listener.onEntries(from === 0 ? entries : entries.slice(from));
    } catch (error) {
      // One listener's mistake must not keep the log from the others.
      this.#logger.error({err: error}, 'a listener of the log threw an exception');
    }
  }

  end(error: Error): void {
    if (this.#closed) return;
    this.close();
    try {
      this.#listener.onEnd(error);
    } catch (problem) {
      this.#logger.error({err: problem}, 'a listener of the log threw an exception');
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#onClosed(this);
  }
}
