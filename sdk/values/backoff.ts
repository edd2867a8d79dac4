export interface BackoffOptions {
  /** First wait; 800 ms by default. */
  readonly initialMillis?: number;
  /** Longest wait; 30 s by default. */
  readonly maximumMillis?: number;
}

/** Waits between attempts: each is twice the one before, and up to half longer at random, so that many callers do not come back at once. */
export class Backoff {
  readonly #initial: number;
  readonly #maximum: number;
  #next: number;

  constructor({initialMillis = 800, maximumMillis = 30_000}: BackoffOptions = {}) {
    this.#initial = initialMillis;
    this.#maximum = maximumMillis;
    this.#next = initialMillis;
  }

  /** Milliseconds to wait after one more failure. @param limitMillis for this wait, if it is less than the longest */
  next(limitMillis: number = this.#maximum): number {
    const wait = Math.min(this.#next, limitMillis);
    this.#next = Math.min(wait * 2, this.#maximum);
    return wait * (1 + Math.random() / 2);
  }

  /** After a success: the next failure is followed by the first wait. */
  reset(): void {
    this.#next = this.#initial;
  }
}
