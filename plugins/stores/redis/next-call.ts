/**
 * Work that many ask for and that is done once for all of them: those of one turn of the event loop share it, and those that come while it is under way share the
 * next, never that one, which may have looked before they came.
 */
export class NextCall<T> {
  #next: Promise<T> | undefined;
  #current: Promise<unknown> = Promise.resolve();
  readonly #work: () => Promise<T>;

  constructor(work: () => Promise<T>) {
    this.#work = work;
  }

  /** Resolves, or rejects, as work does that begins after this call. */
  share(): Promise<T> {
    return (this.#next ??= this.#afterCurrent());
  }

  async #afterCurrent(): Promise<T> {
    await this.#current;
    // All of this turn share it.
    await new Promise((resolve) => setImmediate(resolve));
    const own = this.#next!;
    this.#next = undefined;
    this.#current = own.catch(() => undefined);
    return this.#work();
  }
}
