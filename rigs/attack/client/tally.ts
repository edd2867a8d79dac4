import type {Outcome} from './outcome.js';

/** What an attack has met with, as it travels between processes. */
export interface TallyReport {
  /** How often each outcome was seen. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** What no server may answer, in words; a few of them. */
  readonly faults: readonly string[];
}

const maximumFaults = 5;

/** Whether a status tells of a failure inside the server. By design it answers 502 for servers that it hands requests on to, 503 and 504, and 505 to versions of HTTP that are not served. */
export function isFailure(status: number): boolean {
  return status >= 500 && (status < 502 || status > 505);
}

/** Counts what an attack meets with. */
export class Tally {
  readonly #outcomes = new Map<Outcome, number>();
  readonly #faults: string[] = [];

  add(outcome: Outcome): void {
    this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + 1);
  }

  fault(what: string): void {
    if (this.#faults.length < maximumFaults) this.#faults.push(what);
  }

  report(): TallyReport {
    return {outcomes: Object.fromEntries(this.#outcomes), faults: this.#faults};
  }
}
