/** Pairs of ports, or of files, that are compared for the warnings about one pod: who writes it decides how long its lists are. */
const mostPairs = 5_000;

/** How many pairs may still be compared. Kubernetes compares them all; an answer shows few warnings anyway. */
export class PairBudget {
  #left = mostPairs;

  /** Whether one more pair may be compared, which then counts. */
  take(): boolean {
    if (this.#left === 0) return false;
    this.#left -= 1;
    return true;
  }
}
