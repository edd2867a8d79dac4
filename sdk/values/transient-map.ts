/**
 * A map whose entries come and go all the time, for what is under way. The tables of a `Map` refer to their successors, and keep what was in them when they were
 * replaced: one that V8 has moved to the old generation keeps all of that alive until the next full collection. Here that is an empty cell for each entry.
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
