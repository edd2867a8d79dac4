export interface BackoffOptions {
  /** First wait; 800 ms by default. */
  readonly initialMillis?: number;
  /** Longest wait; 30 s by default. */
  readonly maximumMillis?: number;
}

/** Waits that double from one failure to the next. Each is lengthened by up to half at random, so that many clients do not come back at once. */
export class Backoff {
  readonly #initial: number;
  readonly #maximum: number;
  #next: number;

  constructor({initialMillis = 800, maximumMillis = 30_000}: BackoffOptions = {}) {
    this.#initial = initialMillis;
    this.#maximum = maximumMillis;
    this.#next = initialMillis;
  }

  /** Milliseconds to wait after one more failure. */
  next(): number {
    const wait = this.#next;
    this.#next = Math.min(wait * 2, this.#maximum);
    return wait * (1 + Math.random() / 2);
  }

  /** Something succeeded: the next failure starts with the first wait again. */
  reset(): void {
    this.#next = this.#initial;
  }
}
