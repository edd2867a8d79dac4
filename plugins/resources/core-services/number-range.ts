import {randomBytes} from 'node:crypto';

/**
 * Numbers that are allocated one by one. The lower end of a range is allocated last, so that numbers chosen there by users are likely to be
 * free (Kubernetes' static sub-range).
 */
export class NumberRange {
  readonly #firstDynamic: bigint;

  /** `size` is at least 1. */
  constructor(
    readonly first: bigint,
    readonly size: bigint,
    lowerEnd = staticPart(size),
  ) {
    this.#firstDynamic = lowerEnd;
  }

  contains(value: bigint): boolean {
    return value >= this.first && value < this.first + this.size;
  }

  /** A random number above the lower end. */
  random(): bigint {
    const span = this.size - this.#firstDynamic;
    return this.first + this.#firstDynamic + (BigInt(`0x${randomBytes(16).toString('hex')}`) % span);
  }

  /** All numbers once, starting at a random place above the lower end, with the lower end last. */
  *all(): Generator<bigint> {
    const start = this.random();
    const end = this.first + this.size;
    for (let value = start; value < end; value += 1n) yield value;
    for (let value = this.first + this.#firstDynamic; value < start; value += 1n) yield value;
    for (let value = this.first; value < this.first + this.#firstDynamic; value += 1n) yield value;
  }
}

/** A sixteenth of a range, at least 16 and at most 256 numbers; 0 for a small range. */
function staticPart(size: bigint): bigint {
  if (size <= 16n) return 0n;
  const part = size / 16n;
  return part < 16n ? 16n : part > 256n ? 256n : part;
}
