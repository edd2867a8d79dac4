/** Waiting times between attempts: from 20 ms, doubled each time up to 1 s, spread so that servers do not come in step. */
export class Backoff {
  #millis = 20;

  next(): number {
    const millis = this.#millis * (0.5 + Math.random() / 2);
    this.#millis = Math.min(this.#millis * 2, 1000);
    return millis;
  }

  reset(): void {
    this.#millis = 20;
  }
}
