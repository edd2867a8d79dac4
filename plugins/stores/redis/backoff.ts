const firstMillis = 20;

/** Waiting times between attempts: from 20 ms, doubled each time up to a limit, spread so that servers do not come in step. */
export class Backoff {
  #millis = firstMillis;

  next(limitMillis: number): number {
    const millis = Math.min(this.#millis, limitMillis);
    this.#millis = millis * 2;
    return millis * (0.5 + Math.random() / 2);
  }

  reset(): void {
    this.#millis = firstMillis;
  }
}
