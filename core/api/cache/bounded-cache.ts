/**
 * Caches the results of a pure function of a string: the same headers and selectors occur again and again.
 *
 * There are two generations of at most `capacity` entries each. When the young one is full it becomes the old one, and entries used from
 * the old one move up. A hit costs one or two look-ups, and memory is bounded whatever clients send.
 */
export class BoundedCache<T> {
  #young = new Map<string, T>();
  #old = new Map<string, T>();
  readonly #compute: (text: string) => T;
  readonly #capacity: number;
  readonly #maximumLength: number;

  /**
   * @param capacity entries per generation
   * @param maximumLength results for longer arguments are not cached, so that a few huge ones cannot fill memory
   */
  constructor(compute: (text: string) => T, capacity = 256, maximumLength = 2048) {
    this.#compute = compute;
    this.#capacity = capacity;
    this.#maximumLength = maximumLength;
  }

  /** The result for `text`. Errors of the function propagate and are not cached. */
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
