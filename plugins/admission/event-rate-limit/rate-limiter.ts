/** Lets `burst` through at once and `qps` per second in the long run (a token bucket). */
export class RateLimiter {
  #tokens: number;
  #last: number;

  readonly #qps: number;
  readonly #burst: number;

  /** @param now milliseconds of a clock that never goes back */
  constructor(qps: number, burst: number, now: number) {
    this.#qps = qps;
    this.#burst = burst;

    this.#tokens = burst;
    this.#last = now;
  }

  tryAccept(now: number): boolean {
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#last) / 1000) * this.#qps);
    this.#last = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
