/**
 * A map for short-lived entries, such as work in progress. The tables of a `Map` refer to their successors, and keep their entries when they are
 * replaced: a table that V8 has moved to the old generation keeps all of these alive until the next full collection. Here that is an empty cell per entry.
 */
export class TransientMap<Key, Value> {
  #cells = new Map<Key, {value: Value | undefined}>();

  get size(): number {
    return this.#cells.size;
  }

  get(key: Key): Value | undefined {
    return this.#cells.get(key)?.value;
  }

  set(key: Key, value: Value): void {
    const cell = this.#cells.get(key);
    if (cell) cell.value = value;
    else this.#cells.set(key, {value});
  }

  delete(key: Key): void {
    const cell = this.#cells.get(key);
    if (!cell) return;
    cell.value = undefined;
    this.#cells.delete(key);
  }

  clear(): void {
    this.#cells = new Map();
  }
}
