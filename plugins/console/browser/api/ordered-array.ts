/** Items in an order in which no two are equal. Where one is, or would be, is found without looking at all. */
export class OrderedArray<T> {
  items: T[] = [];
  #compare: (left: T, right: T) => number;

  constructor(compare: (left: T, right: T) => number) {
    this.#compare = compare;
  }

  sort(compare: (left: T, right: T) => number): void {
    this.#compare = compare;
    this.items.sort(compare);
  }

  /** Takes these instead of all. They may come in any order. */
  replace(items: T[]): void {
    this.items = items.sort(this.#compare);
  }

  /** Adds many. What comes in order, as pages of a list do, is not sorted again. */
  add(items: readonly T[]): void {
    let isOrdered = true;
    for (const item of items) {
      const last = this.items.at(-1);
      if (last !== undefined && this.#compare(last, item) > 0) isOrdered = false;
      this.items.push(item);
    }
    if (!isOrdered) this.items.sort(this.#compare);
  }

  insert(item: T): void {
    this.items.splice(this.#place(item), 0, item);
  }

  remove(item: T): void {
    this.items.splice(this.#place(item), 1);
  }

  /** Takes an item out and another in, which moves nothing if both have one place. */
  exchange(old: T, item: T): void {
    if (this.#compare(old, item) === 0) {
      this.items[this.#place(old)] = item;
      return;
    }
    this.remove(old);
    this.insert(item);
  }

  #place(item: T): number {
    let [low, high] = [0, this.items.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(this.items[middle]!, item) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
