export interface BackoffOptions {
  /** The first delay; 800 ms by default. */
  readonly initialMillis?: number;
  /** The longest delay; 30 s by default. */
  readonly maximumMillis?: number;
}

/**
 * Delays between attempts: each is twice the previous one, plus up to half of it at random, so that many callers do not retry at the same
 * time.
 */
export class Backoff {
  readonly #initial: number;
  readonly #maximum: number;
  #next: number;

  constructor({initialMillis = 800, maximumMillis = 30_000}: BackoffOptions = {}) {
    this.#initial = initialMillis;
    this.#maximum = maximumMillis;
    this.#next = initialMillis;
  }

  /** Milliseconds to wait after another failure. @param limitMillis maximum for this delay, if it is less than the overall one */
  next(limitMillis: number = this.#maximum): number {
    const wait = Math.min(this.#next, limitMillis);
    this.#next = Math.min(wait * 2, this.#maximum);
    return wait * (1 + Math.random() / 2);
  }

  /** After a success: the next failure is followed by the first delay. */
  reset(): void {
    this.#next = this.#initial;
  }
}
