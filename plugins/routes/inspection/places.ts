/** Lets few do something at once, and some wait. */
export class Places {
  readonly #most: number;
  readonly #mostWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(most: number, mostWaiting: number) {
    this.#most = most;
    this.#mostWaiting = mostWaiting;
  }

  /**
   * Works when there is a place, unless nobody wants the result any more by then.
   *
   * @param full makes the error if too many wait already
   */
  async within(signal: AbortSignal, full: () => Error, work: () => Promise<void>): Promise<void> {
    if (this.#taken >= this.#most && this.#waiting.length >= this.#mostWaiting) throw full();
    if (this.#taken < this.#most) this.#taken += 1;
    else await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    try {
      if (!signal.aborted) await work();
    } finally {
      this.#leave();
    }
  }

  /** The place goes to who has waited for longest. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#taken -= 1;
  }
}
