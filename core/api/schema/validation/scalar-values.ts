import type {JsonValue} from '../../../../sdk/index.js';

/** Quotients within this relative distance of an integer count as integers: fractions such as 0.01 are not exact. */
const tolerance = 1e-9;

/** The number of characters, regardless of their size in UTF-16. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) {
      count--;
      index++;
    }
  }
  return count;
}

/** Whether a number is a multiple of a positive one. Both may exceed 2^53, also in schemas. */
export function isMultiple(value: number | bigint, factor: number | bigint): boolean {
  if (isIntegral(value) && isIntegral(factor)) return BigInt(factor) !== 0n && BigInt(value) % BigInt(factor) === 0n;
  const quotient = Number(value) / Number(factor);
  return Number.isFinite(quotient) && Math.abs(quotient - Math.round(quotient)) <= Math.abs(quotient) * tolerance;
}

function isIntegral(value: number | bigint): boolean {
  return typeof value === 'bigint' || Number.isInteger(value);
}

/** How many passed checks a value counts for by its kind alone. */
export function matchesOfKind(value: JsonValue): number {
  if (typeof value === 'boolean') return 0;
  return typeof value === 'string' || (typeof value === 'object' && !Array.isArray(value)) ? 1 : 2;
}
