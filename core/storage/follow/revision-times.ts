interface Checkpoint {
  readonly revision: number;
  readonly time: number;
}

/**
 * Remembers roughly when a shard was at which revision, so that the log can be cut by age although it is cut at a revision.
 * A checkpoint means that everything up to its revision was written at its time or before.
 */
export class RevisionTimes {
  #checkpoints: Checkpoint[] = [];
  readonly #spacingMillis: number;

  /** @param historyMillis age at which the log is cut */
  constructor(historyMillis: number) {
    this.#spacingMillis = historyMillis / 20;
  }

  /** Records that the shard is at `revision` now. */
  add(revision: number, now: number): void {
    const last = this.#checkpoints.at(-1);
    if (!last || now >= last.time + this.#spacingMillis) this.#checkpoints.push({revision, time: now});
  }

  /** Learns from a log that was written before this server started; oldest entries first. */
  addHistory(entries: readonly Checkpoint[]): void {
    let lastTime = -Infinity;
    for (const {revision, time} of entries) {
      if (time < lastTime + this.#spacingMillis) continue;
      lastTime = time;
      this.#checkpoints.push({revision, time});
    }
    this.#checkpoints.sort((a, b) => a.time - b.time);
  }

  /** A revision such that everything up to it was written at `time` or before; undefined if none is known. Forgets older checkpoints. */
  takeUpTo(time: number): number | undefined {
    let count = 0;
    while (count < this.#checkpoints.length && this.#checkpoints[count]!.time <= time) count++;
    const old = this.#checkpoints.splice(0, count);
    return old.length === 0 ? undefined : old.reduce((highest, {revision}) => Math.max(highest, revision), 0);
  }

  /** Drops all checkpoints: their history has been lost. */
  clear(): void {
    this.#checkpoints = [];
  }
}
