const highest = 2n ** 64n - 1n;

/** An unsigned integer of 64 bits. */
export class Uint {
  constructor(readonly value: bigint) {}

  static isIn(value: bigint): boolean {
    return value >= 0n && value <= highest;
  }
}

const lowestInt = -(2n ** 63n);
const highestInt = 2n ** 63n - 1n;

/** Whether a number is an `int`. */
export function isInt64(value: bigint): boolean {
  return value >= lowestInt && value <= highestInt;
}
