/** Who wants to know of something. Listening is possible in constructors of plugins only, so that nothing is made for nobody. */
export class Broadcast<T> {
  readonly #what: string;
  #listener: ((told: T) => void) | undefined;
  #isSettled = false;

  /** @param what they want, in the plural */
  constructor(what: string) {
    this.#what = what;
  }

  /** @throws Error once it is settled who listens */
  listen(listener: (told: T) => void): void {
    if (this.#isSettled) throw new Error(`${this.#what} can be asked for in constructors only`);
    const before = this.#listener;
    this.#listener = before
      ? (told) => {
          before(told);
          listener(told);
        }
      : listener;
  }

  /** All who listen; undefined if nobody does. Nobody else can from now on. */
  settle(): ((told: T) => void) | undefined {
    this.#isSettled = true;
    return this.#listener;
  }
}
