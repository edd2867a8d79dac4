/** What was recommended, or how many replicas came or went, and when (milliseconds since 1970). */
interface Entry {
  readonly at: number;
  readonly count: number;
}

/** Entries that are kept, however often one is added; those that are too old are replaced first. */
const mostEntries = 10_000;

/** Counts with their times, as far back as they matter. */
export class ScalingHistory {
  #entries: Entry[] = [];

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** @param after entries before that are not needed any more */
  add(at: number, count: number, after: number): void {
    this.#entries = this.#entries.filter((entry) => entry.at >= after);
    if (this.#entries.length >= mostEntries) this.#entries.shift();
    this.#entries.push({at, count});
  }

  /** Counts since a time. */
  *since(time: number): Iterable<number> {
    for (const {at, count} of this.#entries) if (at > time) yield count;
  }

  sumSince(time: number): number {
    let sum = 0;
    for (const count of this.since(time)) sum += count;
    return sum;
  }
}

/** What an autoscaler has recommended and done. */
export interface AutoscalerHistory {
  /** Recommendations, before they were limited. */
  readonly recommendations: ScalingHistory;
  /** Replicas that it has added, and those that it has taken away. */
  readonly added: ScalingHistory;
  readonly removed: ScalingHistory;
}

export function newHistory(): AutoscalerHistory {
  return {recommendations: new ScalingHistory(), added: new ScalingHistory(), removed: new ScalingHistory()};
}
