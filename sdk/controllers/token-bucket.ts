/** A token bucket: limits a rate per second, with a burst after a quiet time. */
export class TokenBucket {
  #left: number;
  #filledAt: number;
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #now: () => number;

  /**
   * @param perSecond may be a fraction
   * @param burst at least 1
   * @param now milliseconds of a clock; if it is set back, nothing is gained until it goes forward again
   * @throws RangeError
   */
  constructor(perSecond: number, burst: number, now = () => performance.now()) {
    if (!(perSecond > 0) || !(burst >= 1))
      throw new RangeError(`a rate of ${perSecond} a second with bursts of ${burst} lets nothing happen`);
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#now = now;
    this.#left = burst;
    this.#filledAt = now();
  }

  /** Takes a token and returns 0, or returns the milliseconds until there is one. */
  take(): number {
    const now = this.#now();
    const passed = Math.max(0, now - this.#filledAt);
    this.#left = Math.min(this.#burst, this.#left + (passed / 1000) * this.#perSecond);
    this.#filledAt = now;
    if (this.#left < 1) return Math.ceil(((1 - this.#left) / this.#perSecond) * 1000);
    this.#left -= 1;
    return 0;
  }
}
