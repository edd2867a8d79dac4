/** An index of objects by values. Objects are identified by their cache keys. */
export class ObjectIndex<T> {
  readonly #keys = new Map<string, Set<string>>();
  readonly #valuesOf: (object: T) => readonly string[];

  /** @param valuesOf the values of an object: none, one or several */
  constructor(valuesOf: (object: T) => readonly string[]) {
    this.#valuesOf = valuesOf;
  }

  add(key: string, object: T): void {
    for (const value of this.#valuesOf(object)) {
      const keys = this.#keys.get(value);
      if (keys) keys.add(key);
      else this.#keys.set(value, new Set([key]));
    }
  }

  remove(key: string, object: T): void {
    for (const value of this.#valuesOf(object)) {
      const keys = this.#keys.get(value);
      keys?.delete(key);
      if (keys?.size === 0) this.#keys.delete(value);
    }
  }

  /** Keys of the objects with a value. */
  keys(value: string): Iterable<string> {
    return this.#keys.get(value) ?? [];
  }

  /** All values that any object has. */
  values(): Iterable<string> {
    return this.#keys.keys();
  }
}
