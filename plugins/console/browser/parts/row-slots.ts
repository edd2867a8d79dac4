/**
 * Places in which rows are drawn. A row keeps its own for as long as it is in sight, so that what is focused in it stays; those of rows that went are taken by rows that come,
 * so that scrolling writes other texts into the elements that are there.
 */
export class RowSlots {
  /** In the order in which the rows are. */
  #slots = new Map<string, number>();
  readonly #free: number[] = [];
  #made = 0;

  /** @param ids of the rows in sight, each once @returns the place of each */
  assign(ids: readonly string[]): number[] {
    const wanted = new Set(ids);
    // The last one here is the first that is taken: rows that all are others have the places of before in the same order.
    for (const [id, slot] of [...this.#slots].reverse()) if (!wanted.has(id)) this.#free.push(slot);
    const given = ids.map((id) => this.#slots.get(id) ?? this.#free.pop() ?? this.#made++);
    this.#slots = new Map(ids.map((id, index) => [id, given[index]!]));
    return given;
  }
}
