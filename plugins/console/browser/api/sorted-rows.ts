import {orderByName, rowComparator, type RowOrder, type TableRow} from './table-rows.js';

/** Rows in order, which stay in order as they come, change and go: none of that looks at all of them. */
export class SortedRows {
  #rows: TableRow[] = [];
  readonly #byUid = new Map<string, TableRow>();
  #order: RowOrder = orderByName;
  #ageColumn = -1;
  #compare = rowComparator(orderByName, -1);

  get rows(): readonly TableRow[] {
    return this.#rows;
  }

  get order(): RowOrder {
    return this.#order;
  }

  find(uid: string): TableRow | undefined {
    return this.#byUid.get(uid);
  }

  sort(order: RowOrder, ageColumn: number): void {
    this.#order = order;
    this.#ageColumn = ageColumn;
    this.#compare = rowComparator(order, ageColumn);
    this.#rows.sort(this.#compare);
  }

  /** Takes these instead of all. */
  replace(rows: readonly TableRow[]): void {
    this.#byUid.clear();
    for (const row of rows) this.#byUid.set(row.uid, row);
    this.#rows = [...this.#byUid.values()].sort(this.#compare);
  }

  /** Adds many at once. */
  add(rows: readonly TableRow[]): void {
    this.replace([...this.#byUid.values(), ...rows]);
  }

  put(row: TableRow): void {
    this.remove(row.uid);
    this.#byUid.set(row.uid, row);
    this.#rows.splice(this.#place(row), 0, row);
  }

  remove(uid: string): void {
    const row = this.#byUid.get(uid);
    if (!row) return;
    this.#byUid.delete(uid);
    this.#rows.splice(this.#place(row), 1);
  }

  get ageColumn(): number {
    return this.#ageColumn;
  }

  /** Where a row is, or would be. */
  #place(row: TableRow): number {
    let [low, high] = [0, this.#rows.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(this.#rows[middle]!, row) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
