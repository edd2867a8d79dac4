/** A place to work in, or to wait for one. */
export interface Place {
  /** Resolves when the work may begin. */
  readonly ready: Promise<void>;
  leave(): void;
}

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

  /** Undefined if too many wait already. Whoever has a place has to leave it, also if it was not used. */
  take(): Place | undefined {
    if (this.#taken >= this.#most && this.#waiting.length >= this.#mostWaiting) return undefined;
    const ready = this.#taken < this.#most ? Promise.resolve() : new Promise<void>((resolve) => void this.#waiting.push(resolve));
    if (this.#taken < this.#most) this.#taken += 1;
    return {ready, leave: () => this.#leave()};
  }

  /** The place goes to who has waited for longest. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#taken -= 1;
  }
}
