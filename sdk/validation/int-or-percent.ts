import {invalid, type FieldError} from '../errors/field-error.js';
import type {FieldPath} from '../errors/field-path.js';
import {percentFaults} from '../values/name-formats.js';

/** A count, or a share of a count such as `25%`. */
export type IntOrPercent = number | string;

/** A number that is not negative, or a percentage. */
export function validateIntOrPercent(value: IntOrPercent, path: FieldPath): FieldError[] {
  if (typeof value === 'string') return percentFaults(value).map((detail) => invalid(path, value, detail));
  return value >= 0 ? [] : [invalid(path, value, 'must be greater than or equal to 0')];
}

/** A percentage is not above 100%; numbers pass. */
export function validateAtMostHundredPercent(value: IntOrPercent, path: FieldPath): FieldError[] {
  const percent = percentOf(value);
  return percent === undefined || percent <= 100 ? [] : [invalid(path, value, 'must not be greater than 100%')];
}

/** Whether it stands for nothing: 0, `0%`, or a text that is no percentage. */
export function isZeroIntOrPercent(value: IntOrPercent): boolean {
  return (typeof value === 'number' ? value : (percentOf(value) ?? 0)) === 0;
}

function percentOf(value: IntOrPercent): number | undefined {
  return typeof value === 'string' && /^[0-9]+%$/.test(value) ? Number(value.slice(0, -1)) : undefined;
}
