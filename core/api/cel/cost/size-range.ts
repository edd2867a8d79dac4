/** The largest number that is tracked; anything without a bound counts as this. */
export const unbounded = 2 ** 64;

/** Minimum and maximum size of a value: bytes of a string, items of a list, entries of a map. */
export interface SizeRange {
  readonly min: number;
  readonly max: number;
}

export const anySize: SizeRange = {min: 0, max: unbounded};

/** A known size. */
export function exactly(size: number): SizeRange {
  return {min: size, max: size};
}

/** A sum, capped at `unbounded`. */
export function add(a: number, b: number): number {
  return Math.min(a + b, unbounded);
}

/** A product, capped at `unbounded`. */
export function multiply(a: number, b: number): number {
  return Math.min(a * b, unbounded);
}

/** A product rounded up. */
export function scale(size: number, factor: number): number {
  return Math.min(Math.ceil(size * factor), unbounded);
}

export function addSizes(a: SizeRange, b: SizeRange): SizeRange {
  return {min: add(a.min, b.min), max: add(a.max, b.max)};
}

export function multiplySizes(a: SizeRange, b: SizeRange): SizeRange {
  return {min: multiply(a.min, b.min), max: multiply(a.max, b.max)};
}

/** The range that contains both. */
export function unionOf(a: SizeRange, b: SizeRange): SizeRange {
  return {min: Math.min(a.min, b.min), max: Math.max(a.max, b.max)};
}
