/** The history of one type, as far as the budget of all is concerned. */
export interface HeldHistory {
  /** Bytes of the objects in it. */
  readonly bytes: number;
  /** Drops the oldest event. Returns false if it keeps what it has: the latest one stays. */
  dropOldest(): boolean;
}

/**
 * The memory that the histories of all types share. Each has its own bound too, but there may be hundreds of types. Once it is used up, the
 * longest histories are cut: what has changed little stays as old as it may be.
 */
export class HistoryBudget {
  #used = 0;
  readonly #histories = new Set<HeldHistory>();

  readonly #maximum: number;

  /** @param maximum in bytes */
  constructor(maximum: number) {
    this.#maximum = maximum;
  }

  get used(): number {
    return this.#used;
  }

  join(history: HeldHistory): void {
    this.#histories.add(history);
    this.changed(history.bytes);
  }

  leave(history: HeldHistory): void {
    if (this.#histories.delete(history)) this.#used -= history.bytes;
  }

  /** A history that has joined holds so many bytes more, or fewer. */
  changed(bytes: number): void {
    this.#used += bytes;
    while (bytes > 0 && this.#used > this.#maximum && this.#cutLongest());
  }

  /** Returns false if nothing can be dropped. */
  #cutLongest(): boolean {
    let longest: HeldHistory | undefined;
    for (const history of this.#histories) if (history.bytes > (longest?.bytes ?? 0)) longest = history;
    if (!longest) return false;
    // Enough that the longest need not be looked for at each change.
    const enough = longest.bytes * 0.95;
    let isCut = false;
    while (longest.bytes > enough && longest.dropOldest()) isCut = true;
    return isCut;
  }
}
