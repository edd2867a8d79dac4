/** A binary heap with the smallest item first. */
export class MinimumHeap<T> {
  readonly #items: T[] = [];

  readonly #compare: (a: T, b: T) => number;

  /** @param compare negative when the first is smaller; equal items come in any order */
  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#items.length;
  }

  get first(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    const items = this.#items;
    let index = items.push(item) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (this.#compare(items[parent]!, item) <= 0) break;
      items[index] = items[parent]!;
      index = parent;
    }
    items[index] = item;
  }

  /** Removes the first item. */
  shift(): T | undefined {
    const items = this.#items;
    const [first] = items;
    const last = items.pop();
    if (items.length > 0) {
      items[0] = last!;
      this.sink();
    }
    return first;
  }

  /** To be called when the first item has become greater. */
  sink(): void {
    const items = this.#items;
    const item = items[0]!;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && this.#compare(items[child + 1]!, items[child]!) < 0) child += 1;
      if (this.#compare(items[child]!, item) >= 0) break;
      items[index] = items[child]!;
      index = child;
    }
    items[index] = item;
  }
}
