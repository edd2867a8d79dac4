/** A collection that holds one value without more than itself: most owners have one kind of dependent, many just one dependent. */
export class FewOrMany<V extends object> {
  #one: V | undefined;
  #many: Map<unknown, V> | undefined;
  readonly #keyOf: (value: V) => unknown;

  /** @param keyOf what tells values apart */
  constructor(keyOf: (value: V) => unknown) {
    this.#keyOf = keyOf;
  }

  get size(): number {
    return this.#many?.size ?? (this.#one ? 1 : 0);
  }

  get(key: unknown): V | undefined {
    if (this.#many) return this.#many.get(key);
    return this.#one && this.#keyOf(this.#one) === key ? this.#one : undefined;
  }

  add(value: V): void {
    const key = this.#keyOf(value);
    if (this.#many) {
      this.#many.set(key, value);
    } else if (!this.#one || this.#keyOf(this.#one) === key) {
      this.#one = value;
    } else {
      this.#many = new Map([
        [this.#keyOf(this.#one), this.#one],
        [key, value],
      ]);
      this.#one = undefined;
    }
  }

  delete(value: V): void {
    const key = this.#keyOf(value);
    if (this.#many) this.#many.delete(key);
    else if (this.#one && this.#keyOf(this.#one) === key) this.#one = undefined;
  }

  /** May be changed meanwhile: what is added to many is answered too. */
  *[Symbol.iterator](): Generator<V> {
    if (this.#many) yield* this.#many.values();
    else if (this.#one) yield this.#one;
  }
}
