/** The history of one type, as far as the budget of all is concerned. */
export interface HeldHistory {
  /** Bytes of the objects in it. */
  readonly bytes: number;
  /** Drops the oldest event, but never the latest. Returns whether one was dropped. */
  dropOldest(): boolean;
}

/**
 * The memory shared by the histories of all types. Each has its own bound too, but there may be hundreds of types. When the budget is used up, the
 * largest histories are cut, so that types with few changes keep their full history.
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

  /** The size of a history that has joined has changed by `bytes`. */
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
