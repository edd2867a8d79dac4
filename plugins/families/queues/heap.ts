/** A binary heap of items that can be taken out by key. */
export class Heap<T> {
  readonly #items: T[] = [];
  readonly #places = new Map<string, number>();
  readonly #keyOf: (item: T) => string;
  readonly #isBefore: (left: T, right: T) => boolean;

  constructor(keyOf: (item: T) => string, isBefore: (left: T, right: T) => boolean) {
    this.#keyOf = keyOf;
    this.#isBefore = isBefore;
  }

  get size(): number {
    return this.#items.length;
  }

  get first(): T | undefined {
    return this.#items[0];
  }

  has(key: string): boolean {
    return this.#places.has(key);
  }

  /** Adds an item, in place of the one with its key. */
  put(item: T): void {
    const place = this.#places.get(this.#keyOf(item));
    if (place === undefined) {
      this.#set(this.#items.length, item);
      this.#up(this.#items.length - 1);
    } else {
      this.#move(place, item);
    }
  }

  /** Takes out the first one. */
  shift(): T | undefined {
    const item = this.#items[0];
    return item && this.take(this.#keyOf(item));
  }

  /** Takes out the item with a key. */
  take(key: string): T | undefined {
    const place = this.#places.get(key);
    if (place === undefined) return undefined;
    const item = this.#items[place]!;
    const last = this.#items.pop()!;
    this.#places.delete(key);
    if (last !== item) this.#move(place, last);
    return item;
  }

  /** Puts an item in the place of another one, and from there to its own. */
  #move(place: number, item: T): void {
    this.#set(place, item);
    this.#up(place);
    this.#down(this.#places.get(this.#keyOf(item))!);
  }

  #set(place: number, item: T): void {
    this.#items[place] = item;
    this.#places.set(this.#keyOf(item), place);
  }

  #up(place: number): void {
    const item = this.#items[place]!;
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (!this.#isBefore(item, this.#items[above]!)) break;
      this.#set(place, this.#items[above]!);
      place = above;
    }
    this.#set(place, item);
  }

  #down(place: number): void {
    const item = this.#items[place]!;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= this.#items.length) break;
      if (below + 1 < this.#items.length && this.#isBefore(this.#items[below + 1]!, this.#items[below]!)) below += 1;
      if (!this.#isBefore(this.#items[below]!, item)) break;
      this.#set(place, this.#items[below]!);
      place = below;
    }
    this.#set(place, item);
  }
}
