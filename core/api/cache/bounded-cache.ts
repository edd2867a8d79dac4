/**
 * Remembers the results of a pure function by its text argument: the same headers and selectors come again and again.
 *
 * Holds two generations of at most `capacity` entries each. When the young one is full it becomes the old one, and what
 * is used from the old one moves up: the cost of a hit stays that of one or two look-ups, and memory is bounded whatever clients send.
 */
export class BoundedCache<T> {
  #young = new Map<string, T>();
  #old = new Map<string, T>();
  readonly #compute: (text: string) => T;
  readonly #capacity: number;
  readonly #maximumLength: number;

  /**
   * @param capacity entries a generation
   * @param maximumLength results for longer arguments are not cached, so that few huge ones cannot fill memory
   */
  constructor(compute: (text: string) => T, capacity = 256, maximumLength = 2048) {
    this.#compute = compute;
    this.#capacity = capacity;
    this.#maximumLength = maximumLength;
  }

  /** The result for `text`. What the function throws passes through and is not remembered. */
  get(text: string): T {
    const known = this.#young.get(text);
    if (known !== undefined) return known;
    if (text.length > this.#maximumLength) return this.#compute(text);
    const result = this.#old.get(text) ?? this.#compute(text);
    if (this.#young.size >= this.#capacity) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(text, result);
    return result;
  }
}
