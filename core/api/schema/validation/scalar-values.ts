import type {JsonValue} from '../../../../sdk/index.js';
import {fitsIntegerFormat} from '../json-type.js';

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

/** Whether a number is a multiple of a positive one. Integers of 64 bits are exact; what others make has to be in the range of exact ones, as in Kubernetes. */
export function isMultiple(value: number | bigint, factor: number | bigint): boolean {
  if (isExact(value) && isExact(factor)) return BigInt(factor) !== 0n && BigInt(value) % BigInt(factor) === 0n;
  const quotient = factor < 1 ? (1 / Number(factor)) * Number(value) : Number(value) / Number(factor);
  return Math.abs(quotient) <= Number.MAX_SAFE_INTEGER && Math.abs(quotient - Math.round(quotient)) <= Math.abs(quotient) * tolerance;
}

function isExact(value: number | bigint): boolean {
  return (typeof value === 'bigint' || Number.isInteger(value)) && fitsIntegerFormat(value, 'int64');
}

/** How many passed checks a value counts for by its kind alone. */
export function matchesOfKind(value: JsonValue): number {
  if (typeof value === 'boolean') return 0;
  return typeof value === 'string' || (typeof value === 'object' && !Array.isArray(value)) ? 1 : 2;
}
