/** Spans into which the age of the log is divided. */
const spans = 64;

/** Remembers roughly when each revision was made, so that the log can be cut by age. */
export class HistoryAge {
  /** Ascending; each covers the revisions after the previous mark up to its own. */
  readonly #marks: {since: number; time: number; revision: number}[] = [];
  readonly #span: number;
  readonly #historyMillis: number;

  constructor(historyMillis: number) {
    this.#historyMillis = historyMillis;
    this.#span = historyMillis / spans;
  }

  /** Milliseconds after which it is worth to look again. */
  get interval(): number {
    return Math.min(Math.max(this.#historyMillis / 10, 20), 30_000);
  }

  note(time: number, revision: number): void {
    const last = this.#marks.at(-1);
    if (last === undefined || time - last.since > this.#span) {
      this.#marks.push({since: time, time, revision});
    } else {
      last.time = time;
      last.revision = revision;
    }
  }

  /** The last revision that is older than the history to keep; 0 if there is none. Each is returned once. */
  outdated(now: number): number {
    let revision = 0;
    while (this.#marks.length > 0 && this.#marks[0]!.time < now - this.#historyMillis) revision = this.#marks.shift()!.revision;
    return revision;
  }
}
