import type {LogEntry, LogFollower, LogListener, Logger} from '../../../sdk/index.js';

/** What reads the log for followers. */
export interface LogSource {
  leave(follower: Follower): void;
  hurry(): void;
}

/** One listener of a shard's log and how far it has got. */
export class Follower implements LogFollower {
  #position: number;
  #closed = false;
  readonly #listener: LogListener;
  readonly #logger: Logger;
  readonly #tail: LogSource;
  readonly #onClosed: (follower: Follower) => void;

  /** `closed` is called once, when the follower has ended for any reason. */
  constructor(after: number, listener: LogListener, logger: Logger, tail: LogSource, closed: (follower: Follower) => void) {
    this.#tail = tail;
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

  /** Whether it is to get an entry. */
  wants({revision, type}: Pick<LogEntry, 'revision' | 'type'>): boolean {
    return revision > this.#position && (this.#listener.wants?.(type) ?? true);
  }

  /** Delivers those of the entries, in ascending order up to a revision, that the listener wants and does not have already. */
  deliver(entries: readonly LogEntry[], upTo: number): void {
    if (this.#closed || upTo <= this.#position) return;
    const wanted = entries.filter((entry) => this.wants(entry));
    this.#position = upTo;
    // Without `wants` every call has entries.
    if (wanted.length === 0 && this.#listener.wants === undefined) return;
    try {
      this.#listener.onEntries(wanted, upTo);
    } catch (error) {
      // A bug of one listener must not affect the others.
      this.#logger.error({err: error}, 'a listener of the log threw an exception');
    }
  }

  hurry(): void {
    this.#tail.hurry();
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
    this.#tail.leave(this);
    this.#onClosed(this);
  }
}
