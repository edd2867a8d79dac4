import type {Clock} from '../../sdk/controllers/index.js';

/** A clock that the test sets. What has become due by then is called at once, the earliest first. */
export class SetClock implements Clock {
  #now: number;
  readonly #waiting = new Set<{readonly at: number; readonly call: () => void}>();

  /** @param now milliseconds since 1970 */
  constructor(now: number) {
    this.#now = now;
  }

  /** How many wait to be called. */
  get sleepers(): number {
    return this.#waiting.size;
  }

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, call: () => void): () => void {
    const entry = {at: this.#now + milliseconds, call};
    this.#waiting.add(entry);
    return () => this.#waiting.delete(entry);
  }

  set(now: number): void {
    for (;;) {
      const [first] = [...this.#waiting].filter(({at}) => at <= now).sort((one, other) => one.at - other.at);
      if (!first) break;
      this.#waiting.delete(first);
      this.#now = Math.max(this.#now, first.at);
      first.call();
    }
    this.#now = now;
  }
}
