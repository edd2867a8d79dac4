/** The smallest sample that at least `share` (0…1) of all samples do not exceed; 0 when there is none. Sorts the samples. */
export function percentile(samples: Float64Array, share: number): number {
  if (samples.length === 0) return 0;
  samples.sort();
  return samples[Math.min(samples.length - 1, Math.max(0, Math.ceil(samples.length * share) - 1))]!;
}

/** The middle of a few measurements; 0 when there is none. */
export function median(values: readonly number[]): number {
  return percentile(Float64Array.from(values), 0.5);
}

/** Numbers that are recorded one by one, in memory that grows by doubling. */
export class Samples {
  #values = new Float64Array(4096);
  #length = 0;

  add(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Float64Array(this.#length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  get length(): number {
    return this.#length;
  }

  percentile(share: number): number {
    return percentile(this.#values.subarray(0, this.#length), share);
  }
}
