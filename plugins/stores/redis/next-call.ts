/**
 * Batches calls: those of one turn of the event loop share one call, and those that arrive during it share the next one, because the one in progress may have
 * read its data before they arrived.
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
