const zero = 48;

/** The lines of a histogram's buckets as bytes. Between responses only digits change, so they are overwritten in place. */
export class BucketLines {
  /** The sum of the counts in the last result. */
  #total = 0;
  #lines: Buffer | undefined;
  /** The position of each number's last digit, and its number of digits. */
  #places: number[] = [];
  #widths: number[] = [];
  readonly #heads: Buffer;
  readonly #ends: readonly number[];

  /**
   * @param heads the texts before the numbers, concatenated
   * @param ends the end of each
   */
  constructor(heads: Buffer, ends: readonly number[]) {
    this.#heads = heads;
    this.#ends = ends;
  }

  /**
   * The lines with these counts, which are not cumulative. Valid until the next call.
   *
   * @param total the sum of the counts: while it is the same, so are they
   */
  with(counts: Float64Array, total: number): Buffer {
    if (this.#lines && total === this.#total) return this.#lines;
    this.#total = total;
    let below = 0;
    for (let index = 0; this.#lines && index < counts.length; index += 1) {
      below += counts[index]!;
      this.#write(this.#lines, index, below);
    }
    return this.#lines ?? this.#make(counts);
  }

  /** Numbers only increase; when one gets more digits, the lines are rebuilt. */
  #write(lines: Buffer, index: number, value: number): void {
    let rest = value;
    let place = this.#places[index]!;
    for (let width = this.#widths[index]!; width > 0; width -= 1) {
      const next = Math.floor(rest / 10);
      lines[place--] = zero + rest - next * 10;
      rest = next;
    }
    if (rest > 0) this.#lines = undefined;
  }

  #make(counts: Float64Array): Buffer {
    const parts: Buffer[] = [];
    let below = 0;
    let start = 0;
    let length = 0;
    this.#places = [];
    this.#widths = [];
    for (const [index, count] of counts.entries()) {
      below += count;
      const end = this.#ends[index]!;
      const digits = String(below);
      length += end - start + digits.length + 1;
      parts.push(this.#heads.subarray(start, end), Buffer.from(`${digits}\n`));
      this.#places.push(length - 2);
      this.#widths.push(digits.length);
      start = end;
    }
    return (this.#lines = Buffer.concat(parts));
  }
}
