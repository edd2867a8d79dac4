import {invalid, type FieldError} from '../errors/field-error.js';
import type {FieldPath} from '../errors/field-path.js';
import {percentFaults} from '../values/name-formats.js';

/** A count, or a percentage such as `25%`. */
export type IntOrPercent = number | string;

/** A non-negative number, or a percentage. */
export function validateIntOrPercent(value: IntOrPercent, path: FieldPath): FieldError[] {
  if (typeof value === 'string') return percentFaults(value).map((detail) => invalid(path, value, detail));
  return value >= 0 ? [] : [invalid(path, value, 'must be greater than or equal to 0')];
}

/** A percentage must not exceed 100%; numbers pass. */
export function validateAtMostHundredPercent(value: IntOrPercent, path: FieldPath): FieldError[] {
  const percent = percentOf(value);
  return percent === undefined || percent <= 100 ? [] : [invalid(path, value, 'must not be greater than 100%')];
}

/** Whether it is equivalent to zero: 0, `0%`, or a string that is not a percentage. */
export function isZeroIntOrPercent(value: IntOrPercent): boolean {
  return (typeof value === 'number' ? value : (percentOf(value) ?? 0)) === 0;
}

function percentOf(value: IntOrPercent): number | undefined {
  return typeof value === 'string' && /^[0-9]+%$/.test(value) ? Number(value.slice(0, -1)) : undefined;
}
