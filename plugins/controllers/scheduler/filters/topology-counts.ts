/** Counts by the value of a label of nodes. */
export class TopologyCounts {
  readonly #byKey = new Map<string, Map<string, number>>();

  constructor(from?: TopologyCounts) {
    if (from) for (const [key, values] of from.#byKey) this.#byKey.set(key, new Map(values));
  }

  get isEmpty(): boolean {
    return this.#byKey.size === 0;
  }

  keys(): Iterable<string> {
    return this.#byKey.keys();
  }

  get(key: string, value: string): number {
    return this.#byKey.get(key)?.get(value) ?? 0;
  }

  /** Counts for the nodes that share the label with this one; nothing for one without it. */
  add(key: string, labels: Readonly<Record<string, string>> | undefined, amount: number): void {
    if (!labels || !Object.hasOwn(labels, key) || amount === 0) return;
    const value = labels[key]!;
    let values = this.#byKey.get(key);
    if (!values) this.#byKey.set(key, (values = new Map()));
    const count = (values.get(value) ?? 0) + amount;
    if (count === 0) values.delete(value);
    else values.set(value, count);
    if (values.size === 0) this.#byKey.delete(key);
  }
}
