/** A map with more entries keeps its table: to copy them takes long, and with so many at a time most are old already. */
const mostCopied = 500;

/**
 * A map for short-lived entries, such as work in progress. When V8 replaces the table of a `Map` or a `Set`, as it does each time the last entry goes,
 * the old table keeps its entries and refers to the new one. Once a table is in the old generation, all that follow it move there, with what they hold, and
 * stay until the next full collection. Here the whole map is left behind instead, before V8 replaces its table.
 */
export class TransientMap<Key, Value> {
  #map = new Map<Key, Value>();
  /** Entries that have been deleted from this `#map`. */
  #deleted = 0;

  get size(): number {
    return this.#map.size;
  }

  get(key: Key): Value | undefined {
    return this.#map.get(key);
  }

  /** In the order in which they were set. Entries that are deleted meanwhile may be among them. */
  keys(): Iterable<Key> {
    return this.#map.keys();
  }

  /** As `keys`. */
  values(): Iterable<Value> {
    return this.#map.values();
  }

  set(key: Key, value: Value): void {
    this.#map.set(key, value);
  }

  /** @returns whether there was one */
  delete(key: Key): boolean {
    if (!this.#map.has(key)) return false;
    this.#deleted += 1;
    if (this.#deleted < this.#map.size || this.#map.size > mostCopied) return this.#map.delete(key);
    const left = new Map<Key, Value>();
    for (const [other, value] of this.#map) if (other !== key) left.set(other, value);
    this.#map = left;
    this.#deleted = 0;
    return true;
  }

  clear(): void {
    this.#map = new Map();
    this.#deleted = 0;
  }
}
