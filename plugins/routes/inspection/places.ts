/** The part of those that wait which may be of one user. */
const shareOfOne = 2;

/** Lets few do something at once, and some wait. Of those that wait users go in turn: who asks often waits behind their own requests only. */
export class Places {
  readonly #most: number;
  readonly #mostWaiting: number;
  /** By user; whose turn is next is first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #count = 0;
  #taken = 0;

  constructor(most: number, mostWaiting: number) {
    this.#most = most;
    this.#mostWaiting = mostWaiting;
  }

  /**
   * Works when there is a place, unless nobody wants the result any more by then.
   *
   * @param user their name
   * @param full makes the error if too many wait already, or too many of this user
   */
  async within(user: string, signal: AbortSignal, full: () => Error, work: () => Promise<void>): Promise<void> {
    if (this.#taken < this.#most) this.#taken += 1;
    else await this.#wait(user, full);
    try {
      if (!signal.aborted) await work();
    } finally {
      this.#leave();
    }
  }

  #wait(user: string, full: () => Error): Promise<void> {
    const own = this.#waiting.get(user) ?? [];
    if (this.#count >= this.#mostWaiting || own.length >= this.#mostWaiting / shareOfOne) throw full();
    return new Promise((resolve) => {
      own.push(resolve);
      this.#waiting.set(user, own);
      this.#count += 1;
    });
  }

  /** The place goes to the user who has waited for longest since their last turn. */
  #leave(): void {
    const [first] = this.#waiting;
    if (!first) {
      this.#taken -= 1;
      return;
    }
    const [user, own] = first;
    const next = own.shift()!;
    this.#count -= 1;
    this.#waiting.delete(user);
    if (own.length > 0) this.#waiting.set(user, own);
    next();
  }
}
