import {invalid, notSupported, portNameFaults, portNumberFaults, required, type FieldError, type FieldPath} from '../../../sdk/index.js';

/** One fault for each detail that a rule of names finds. */
export function invalidFor(path: FieldPath, value: unknown, details: readonly string[]): FieldError[] {
  return details.map((detail) => invalid(path, value, detail));
}

/** A text that must be there; `rule` finds what is wrong with one that is. */
export function requiredText(value: string | undefined, path: FieldPath, rule?: (text: string) => string[], detail = ''): FieldError[] {
  if (!value) return [required(path, detail)];
  return rule ? invalidFor(path, value, rule(value)) : [];
}

/** A text that may be missing; `rule` finds what is wrong with one that is there. */
export function optionalText(value: string | undefined | null, path: FieldPath, rule: (text: string) => string[]): FieldError[] {
  return value ? invalidFor(path, value, rule(value)) : [];
}

/** One of several words. */
export function oneOf(value: string | undefined | null, path: FieldPath, supported: readonly string[]): FieldError[] {
  return typeof value === 'string' && supported.includes(value) ? [] : [notSupported(path, value ?? '', supported)];
}

/** One of several words that must be there. */
export function requiredOneOf(value: string | undefined | null, path: FieldPath, supported: readonly string[]): FieldError[] {
  return value ? oneOf(value, path, supported) : [required(path)];
}

/** One of several words, or nothing. */
export function optionalOneOf(value: string | undefined | null, path: FieldPath, supported: readonly string[]): FieldError[] {
  return value === undefined || value === null ? [] : oneOf(value, path, supported);
}

/** A number that is not negative; a missing one counts as 0. */
export function nonNegative(value: number | undefined | null, path: FieldPath): FieldError[] {
  return (value ?? 0) >= 0 ? [] : [invalid(path, value, 'must be greater than or equal to 0')];
}

/** A number between two bounds, both included; a missing one passes. */
export function inRange(value: number | undefined | null, path: FieldPath, low: number, high: number): FieldError[] {
  if (value === undefined || value === null || (value >= low && value <= high)) return [];
  return [invalid(path, value, `must be between ${low} and ${high}, inclusive`)];
}

/** An id of a user or a group. */
export function accountId(value: number | undefined | null, path: FieldPath): FieldError[] {
  return inRange(value, path, 0, 2147483647);
}

/** The number or the name of a port. */
export function portNumberOrName(value: number | string | undefined, path: FieldPath): FieldError[] {
  if (typeof value === 'string') return invalidFor(path, value, portNameFaults(value));
  return invalidFor(path, value ?? 0, portNumberFaults(value ?? 0));
}
