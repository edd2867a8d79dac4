/** Spans into which the age of the log is divided. */
const spans = 64;

interface Mark {
  readonly since: number;
  time: number;
  revision: number;
  bytes: number;
}

/** Remembers roughly when each revision was made and how much it holds, so that the log can be cut by age and by size. */
export class HistoryAge {
  /** Ascending; each covers the revisions after the previous mark up to its own. */
  readonly #marks: Mark[] = [];
  readonly #span: number;
  readonly #historyMillis: number;
  readonly #maximumBytes: number;
  #bytes = 0;

  /** @param maximumBytes of values that the log alone holds; what was written in the last span counts, and stays */
  constructor(historyMillis: number, maximumBytes = Infinity) {
    this.#historyMillis = historyMillis;
    this.#maximumBytes = maximumBytes;
    this.#span = historyMillis / spans;
  }

  /** Milliseconds after which it is worth to look again. */
  get interval(): number {
    return Math.min(Math.max(this.#historyMillis / 10, 20), 30_000);
  }

  /** Whether there is more than there may be, of which something can go. */
  get isTooLarge(): boolean {
    return this.#bytes > this.#maximumBytes && this.#marks.length > 1;
  }

  /** @param bytes of the value that the change replaced or removed */
  note(time: number, revision: number, bytes = 0): void {
    this.#bytes += bytes;
    const last = this.#marks.at(-1);
    if (last === undefined || time - last.since > this.#span) {
      this.#marks.push({since: time, time, revision, bytes});
    } else {
      last.time = time;
      last.revision = revision;
      last.bytes += bytes;
    }
  }

  /** The last revision that is older than the history to keep, or too much; 0 if there is none. Each is returned once. */
  outdated(now: number): number {
    let revision = 0;
    while (this.isTooLarge || (this.#marks.length > 0 && this.#marks[0]!.time < now - this.#historyMillis)) {
      const oldest = this.#marks.shift()!;
      this.#bytes -= oldest.bytes;
      revision = oldest.revision;
    }
    return revision;
  }
}
