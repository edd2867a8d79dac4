import type {ChangeHeader, ChangeRecord, RecordTable, TableWrite} from './record-table.js';

/** Changes in memory; they end with the process. */
export class MemoryRecordTable implements RecordTable {
  readonly durability = 'memory only: nothing survives the end of this process';
  readonly keepsValues = true;
  readonly floor = 0;
  readonly #records = new Map<number, ChangeRecord>();

  headers(): Iterable<ChangeHeader> {
    return [];
  }

  get(revision: number): ChangeRecord | undefined {
    return this.#records.get(revision);
  }

  valueAt(revision: number): Buffer | null | undefined {
    return this.#records.get(revision)?.value;
  }

  write({records, remove}: TableWrite): void | Promise<void> {
    for (const record of records) this.#records.set(record.revision, record);
    for (const revision of remove) this.#records.delete(revision);
  }

  recover(): Promise<void> {
    return Promise.resolve();
  }

  schedule(callback: () => void): void {
    queueMicrotask(callback);
  }

  close(): Promise<void> {
    this.#records.clear();
    return Promise.resolve();
  }
}
