import type {LogEntry, LogListener} from '../../../sdk/index.js';

/**
 * Keeps what a follower delivers and what is wrong with it: a revision that is not above the one before, a call without a change, a call after the end or after
 * `closed` was set, an entry that does not name the record that it replaced (`LogEntry.previous`).
 */
export class LogRecorder implements LogListener {
  readonly entries: LogEntry[] = [];
  readonly faults: string[] = [];
  end: Error | undefined;
  /** Set by a test that has closed the follower: from then on every call is a fault. */
  closed = false;
  #inside = false;
  #last: number;
  readonly #isFromStart: boolean;
  #waiting: (() => void)[] = [];
  readonly #records = new Map<string, {revision: number; value: Buffer}>();

  constructor(after = 0) {
    this.#last = after;
    this.#isFromStart = after === 0;
  }

  get revisions(): number[] {
    return this.entries.map((entry) => entry.revision);
  }

  onEntries(entries: readonly LogEntry[]): void {
    if (this.#inside) this.faults.push('calls overlap');
    this.#inside = true;
    if (this.closed) this.faults.push('entries after close');
    if (this.end !== undefined) this.faults.push('entries after the end');
    if (entries.length === 0) this.faults.push('a call without entries');
    for (const entry of entries) {
      if (entry.revision <= this.#last) this.faults.push(`${entry.revision} after ${this.#last}`);
      this.#last = entry.revision;
      this.entries.push(this.#complete(entry));
    }
    this.#inside = false;
    this.#wake();
  }

  onEnd(error: Error): void {
    if (this.closed) this.faults.push('an end after close');
    if (this.end !== undefined) this.faults.push('a second end');
    this.end = error;
    this.#wake();
  }

  /** Resolves when the log has been delivered up to a revision; rejects when it ended before. */
  async reached(revision: number): Promise<void> {
    while (this.#last < revision) {
      if (this.end !== undefined) throw this.end;
      await this.#next();
    }
  }

  /** Resolves with the error that ended the log. */
  async ended(): Promise<Error> {
    while (this.end === undefined) await this.#next();
    return this.end;
  }

  /** The entry with the value that it replaced, which a store may leave out: a follower knows it from the entry before. */
  #complete(entry: LogEntry): LogEntry {
    const name = JSON.stringify([entry.type, entry.key]);
    const known = this.#records.get(name);
    if (entry.value === null) this.#records.delete(name);
    else this.#records.set(name, {revision: entry.revision, value: entry.value});
    const {previous} = entry;
    // Whoever begins later does not know what was there before.
    if ((known || this.#isFromStart) && known?.revision !== previous?.revision)
      this.faults.push(`${entry.revision} replaces ${known?.revision ?? 'nothing'}, and says ${previous?.revision ?? 'nothing'}`);
    if (previous === undefined || known?.revision !== previous.revision) return entry;
    if (previous.value !== undefined && !previous.value.equals(known.value)) this.faults.push(`${entry.revision} replaces other bytes`);
    return {...entry, previous: known};
  }

  #next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
