import type {CounterSeries, GaugeSeries, HistogramSeries} from '../../sdk/index.js';

export class Count implements CounterSeries {
  value = 0;

  add(amount = 1): void {
    if (!(amount >= 0)) throw new RangeError(`a counter only grows, and ${amount} is to be added`);
    this.value += amount;
  }
}

export class Level implements GaugeSeries {
  value = 0;

  set(value: number): void {
    this.value = value;
  }

  add(amount: number): void {
    this.value += amount;
  }
}

/** The number of values in each bucket. */
export class Distribution implements HistogramSeries {
  /** By bucket, not cumulative; the last one is for values above all bounds. */
  readonly counts: Float64Array;
  sum = 0;
  /** Number of values. */
  total = 0;
  readonly #bounds: readonly number[];

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    const bounds = this.#bounds;
    let index = 0;
    while (index < bounds.length && value > bounds[index]!) index += 1;
    this.counts[index]! += 1;
    this.sum += value;
    this.total += 1;
  }
}
