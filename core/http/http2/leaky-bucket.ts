/** Counts what may happen seldom, or often for a short while. */
export class LeakyBucket {
  #level = 0;
  #at = performance.now();
  readonly #size: number;
  readonly #leakPerSecond: number;

  constructor(size: number, leakPerSecond: number) {
    this.#size = size;
    this.#leakPerSecond = leakPerSecond;
  }

  /** @param amount negative for what makes up for earlier amounts @returns whether it overflows */
  add(amount: number, now = performance.now()): boolean {
    this.#level = Math.max(0, this.#level - ((now - this.#at) / 1000) * this.#leakPerSecond + amount);
    this.#at = now;
    return this.#level > this.#size;
  }
}
