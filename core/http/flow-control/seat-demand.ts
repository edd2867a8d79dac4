/** Demand for seats over a period. */
export interface DemandSummary {
  readonly average: number;
  readonly deviation: number;
  readonly highest: number;
}

/** Integrates the demand of a level over time: seats that its requests take and wait for. */
export class SeatDemand {
  #value = 0;
  #since: number;
  #highest = 0;
  /** Milliseconds, and the integrals of the demand and of its square over them. */
  #elapsed = 0;
  #sum = 0;
  #squares = 0;

  /** @param now of a monotonic clock, in milliseconds */
  constructor(now: number) {
    this.#since = now;
  }

  set(value: number, now: number): void {
    this.#advance(now);
    this.#value = value;
    if (value > this.#highest) this.#highest = value;
  }

  /** Summarizes the time since the last call and starts over. */
  take(now: number): DemandSummary {
    this.#advance(now);
    const average = this.#elapsed > 0 ? this.#sum / this.#elapsed : this.#value;
    const variance = this.#elapsed > 0 ? this.#squares / this.#elapsed - average * average : 0;
    const summary = {average, deviation: Math.sqrt(Math.max(0, variance)), highest: this.#highest};
    this.#highest = this.#value;
    this.#elapsed = this.#sum = this.#squares = 0;
    return summary;
  }

  #advance(now: number): void {
    const elapsed = now - this.#since;
    this.#since = now;
    this.#elapsed += elapsed;
    this.#sum += this.#value * elapsed;
    this.#squares += this.#value * this.#value * elapsed;
  }
}
