const zero = 48;

/** The lines of a histogram's buckets as bytes. From one answer to the next nothing changes but digits, so these are written in their places. */
export class BucketLines {
  /** The sum of what was counted, as told last. */
  total = 0;
  #lines: Buffer | undefined;
  /** Where the last digit of each number stands, and how many digits it has room for. */
  #places: number[] = [];
  #widths: number[] = [];
  readonly #heads: Buffer;
  readonly #ends: readonly number[];

  /**
   * @param heads what stands before the numbers, one behind the other
   * @param ends where each ends
   */
  constructor(heads: Buffer, ends: readonly number[]) {
    this.#heads = heads;
    this.#ends = ends;
  }

  /** The lines with these counts, each without those below it. Good until the next call. */
  with(counts: readonly number[]): Buffer {
    let below = 0;
    for (let index = 0; this.#lines && index < counts.length; index += 1) {
      below += counts[index]!;
      this.#write(this.#lines, index, below);
    }
    this.total = below;
    return this.#lines ?? this.#make(counts);
  }

  /** Numbers only grow; one that has become too long has the lines made anew. */
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

  #make(counts: readonly number[]): Buffer {
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
    this.total = below;
    return (this.#lines = Buffer.concat(parts));
  }
}
