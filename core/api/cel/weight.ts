import type {JsonValue} from '../../../sdk/index.js';

/** Characters or bytes that are copied or compared in one step. */
export const bytesPerStep = 24;

/** A value whose parts are created on demand. */
export interface Weighed {
  /** @param enough where to stop counting */
  weigh(enough: number): number;
}

/**
 * The steps that it takes to read a value with all its content: one for each value in it, more for long strings. Counting stops at about
 * `enough`, because it takes as long as reading.
 */
export function weightOf(value: unknown, enough: number): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return 1 + value.length / bytesPerStep;
  if (typeof value !== 'object' || value === null) return 1;
  if ('weigh' in value) return (value as Weighed).weigh(enough);
  let weight = 1;
  const parts: Iterable<unknown> = Array.isArray(value)
    ? (value as unknown[])
    : value instanceof Map
      ? (value as Map<unknown, unknown>).values()
      : Object.getPrototypeOf(value) === Object.prototype
        ? Object.values(value)
        : [];
  for (const part of parts) {
    weight += weightOf(part, enough - weight);
    if (weight > enough) break;
  }
  return weight;
}

/** The steps that it takes at most to compare two values: lists of unlike lengths are unlike, and other values end with the smaller one. */
export function comparisonOf(a: unknown, b: unknown, enough: number): number {
  if (typeof a !== typeof b) return 1;
  if (!Array.isArray(a) || !Array.isArray(b)) return smallerWeight(a, b, enough);
  if (a.length !== b.length) return 1;
  let weight = 1;
  for (let index = 0; index < a.length && weight <= enough; index += 1) weight += comparisonOf(a[index], b[index], enough - weight);
  return weight;
}

/** The larger one is not counted much further than the smaller one goes. */
function smallerWeight(a: unknown, b: unknown, enough: number): number {
  for (let glance = 4; glance < enough; glance *= 4) {
    const weight = Math.min(weightOf(a, glance), weightOf(b, glance));
    if (weight < glance) return weight;
  }
  return Math.min(weightOf(a, enough), weightOf(b, enough));
}

/** The same for a value that is still JSON. */
export function weightOfJson(value: JsonValue | undefined, enough: number): number {
  if (typeof value === 'string') return 1 + value.length / bytesPerStep;
  if (typeof value !== 'object' || value === null) return 1;
  let weight = 1;
  for (const part of Array.isArray(value) ? value : Object.values(value)) {
    weight += weightOfJson(part, enough - weight);
    if (weight > enough) break;
  }
  return weight;
}
