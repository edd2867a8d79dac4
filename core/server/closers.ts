/** What has been opened and must be closed, the last first. */
export class Closers {
  readonly #closers: (() => void | Promise<void>)[] = [];

  add(close: () => void | Promise<void>): void {
    this.#closers.push(close);
  }

  /** Closes everything, whatever fails. @throws the failure, or AggregateError if there are several */
  async close(): Promise<void> {
    const failures = new Set<unknown>();
    for (let close = this.#closers.pop(); close; close = this.#closers.pop()) {
      try {
        await close();
      } catch (error) {
        failures.add(error);
      }
    }
    const [first] = failures;
    if (failures.size > 1) throw new AggregateError(failures, 'the server did not stop cleanly');
    if (failures.size === 1) throw first;
  }
}
