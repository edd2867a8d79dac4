type Range = readonly [first: number, last: number];

/** Whole numbers from 0, as ordered ranges that do not touch: the form in which the status of a Job has them. */
export class Indexes {
  readonly #ranges: readonly Range[];

  /** @param ranges first and last numbers, in any order */
  constructor(ranges: readonly Range[] = []) {
    this.#ranges = merged(ranges);
  }

  static of(numbers: Iterable<number>): Indexes {
    return new Indexes([...numbers].map((number) => [number, number] as const));
  }

  /** Reads `1,3-5,7`; what is no number and what is not below `completions` is left out. */
  static parse(text: string, completions: number): Indexes {
    const ranges = text.split(',').flatMap((part) => {
      const found = /^(\d+)(?:-(\d+))?$/.exec(part);
      if (!found || Number(found[1]) >= completions) return [];
      return [[Number(found[1]), Math.min(Number(found[2] ?? found[1]), completions - 1)] as const];
    });
    return new Indexes(ranges);
  }

  get size(): number {
    return this.#ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  }

  has(number: number): boolean {
    return this.#ranges.some(([first, last]) => first <= number && number <= last);
  }

  with(other: Indexes): Indexes {
    return new Indexes([...this.#ranges, ...other.#ranges]);
  }

  /** How many are in both. */
  countIn(other: Indexes): number {
    let count = 0;
    for (const [first, last] of this.#ranges)
      for (const [from, to] of other.#ranges) count += Math.max(0, Math.min(last, to) - Math.max(first, from) + 1);
    return count;
  }

  /** The first ones below `end` that are not in it. */
  missing(count: number, end: number): number[] {
    const found: number[] = [];
    let next = 0;
    for (const [first, last] of [...this.#ranges, [end, end] as const]) {
      for (; next < Math.min(first, end) && found.length < count; next++) found.push(next);
      next = Math.max(next, last + 1);
    }
    return found;
  }

  toString(): string {
    return this.#ranges
      .map(([first, last]) => (first === last ? String(first) : last === first + 1 ? `${first},${last}` : `${first}-${last}`))
      .join(',');
  }
}

function merged(ranges: readonly Range[]): Range[] {
  const result: [number, number][] = [];
  for (const [first, last] of ranges.toSorted(([one], [other]) => one - other)) {
    const before = result.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else result.push([first, last]);
  }
  return result;
}
