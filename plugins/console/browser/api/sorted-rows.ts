import {OrderedArray} from './ordered-array.js';
import {orderByName, rowComparator, type RowOrder, type TableRow} from './table-rows.js';

/** Rows in order, and those of them that are looked for. Both stay so as rows come, change and go: none of that looks at all of them. */
export class SortedRows {
  readonly #byUid = new Map<string, TableRow>();
  readonly #all = new OrderedArray(rowComparator(orderByName, -1));
  readonly #found = new OrderedArray(rowComparator(orderByName, -1));
  #matches: ((row: TableRow) => boolean) | undefined;
  #order: RowOrder = orderByName;

  get rows(): readonly TableRow[] {
    return this.#all.items;
  }

  /** Those that are looked for: all unless `filter` has chosen some. */
  get found(): readonly TableRow[] {
    return this.#matches ? this.#found.items : this.#all.items;
  }

  get order(): RowOrder {
    return this.#order;
  }

  find(uid: string): TableRow | undefined {
    return this.#byUid.get(uid);
  }

  sort(order: RowOrder, ageColumn: number): void {
    this.#order = order;
    const compare = rowComparator(order, ageColumn);
    this.#all.sort(compare);
    this.#found.sort(compare);
  }

  /** Which rows are looked for; undefined for all. */
  filter(matches: ((row: TableRow) => boolean) | undefined): void {
    this.#matches = matches;
    this.#found.replace(matches ? this.#all.items.filter(matches) : []);
  }

  /** Takes these instead of all. */
  replace(rows: readonly TableRow[]): void {
    this.#byUid.clear();
    for (const row of rows) this.#byUid.set(row.uid, row);
    this.#all.replace([...this.#byUid.values()]);
    this.filter(this.#matches);
  }

  /** Adds a page of a list. */
  add(rows: readonly TableRow[]): void {
    const fresh = new Map<string, TableRow>();
    for (const row of rows) {
      if (this.#byUid.has(row.uid)) this.put(row);
      else fresh.set(row.uid, row);
    }
    const added = [...fresh.values()];
    for (const row of added) this.#byUid.set(row.uid, row);
    this.#all.add(added);
    if (this.#matches) this.#found.add(added.filter(this.#matches));
  }

  put(row: TableRow): void {
    const old = this.#byUid.get(row.uid);
    this.#byUid.set(row.uid, row);
    if (old) this.#all.exchange(old, row);
    else this.#all.insert(row);
    if (!this.#matches) return;
    const known = old && this.#matches(old) ? old : undefined;
    if (!this.#matches(row)) {
      if (known) this.#found.remove(known);
    } else if (known) this.#found.exchange(known, row);
    else this.#found.insert(row);
  }

  remove(uid: string): void {
    const row = this.#byUid.get(uid);
    if (!row) return;
    this.#byUid.delete(uid);
    this.#all.remove(row);
    if (this.#matches?.(row) === true) this.#found.remove(row);
  }
}
