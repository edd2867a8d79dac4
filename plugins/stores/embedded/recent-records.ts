import type {ChangeRecord} from './record-table.js';

/** Approximate memory of a record without its bytes. */
const overhead = 256;

/**
 * The records that were written last, up to a number of bytes: a change mostly follows a change of the same object, and
 * then its log entry needs no read. Whoever follows the log holds the same bytes, so they hardly cost memory.
 */
export class RecentRecords {
  readonly #records = new Map<number, ChangeRecord>();
  #size = 0;
  readonly #maxBytes: number;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(revision: number): ChangeRecord | undefined {
    return this.#records.get(revision);
  }

  add(record: ChangeRecord): void {
    this.#records.set(record.revision, record);
    this.#size += cost(record);
    for (const oldest of this.#records.values()) {
      if (this.#size <= this.#maxBytes) break;
      this.remove(oldest.revision);
    }
  }

  remove(revision: number): void {
    const record = this.#records.get(revision);
    if (record === undefined) return;
    this.#records.delete(revision);
    this.#size -= cost(record);
  }

  clear(): void {
    this.#records.clear();
    this.#size = 0;
  }
}

function cost(record: ChangeRecord): number {
  return overhead + (record.value?.length ?? 0);
}
