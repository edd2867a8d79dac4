import {invalid, type FieldError} from '../errors/field-error.js';
import type {FieldPath} from '../errors/field-path.js';
import {portNameFaults, portNumberFaults} from '../values/name-formats.js';
import {invalidFor} from './text-rules.js';

/** An optional number between two inclusive bounds. */
export function validateRange(value: number | undefined | null, low: number, high: number, path: FieldPath): FieldError[] {
  if (value === undefined || value === null || (value >= low && value <= high)) return [];
  return [invalid(path, value, `must be between ${low} and ${high}, inclusive`)];
}

/** The optional id of a user or group. */
export function validateAccountId(value: number | undefined | null, path: FieldPath): FieldError[] {
  return validateRange(value, 0, 2147483647, path);
}

/** The number or the name of a port. */
export function validatePortNumberOrName(value: number | string | undefined, path: FieldPath): FieldError[] {
  if (typeof value === 'string') return invalidFor(path, value, portNameFaults(value));
  return invalidFor(path, value ?? 0, portNumberFaults(value ?? 0));
}
