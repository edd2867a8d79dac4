import {invalid, notSupported, required, type FieldError} from '../errors/field-error.js';
import type {FieldPath} from '../errors/field-path.js';
import {sameValue} from './same-value.js';

/** A number that may be absent and must not be negative. */
export function validateNonNegative(value: number | bigint | null | undefined, path: FieldPath): FieldError[] {
  if (value === undefined || value === null || value >= 0) return [];
  return [invalid(path, value, 'must be greater than or equal to 0')];
}

/** Members of `object` that are numbers and must not be negative, by name. */
export function validateNonNegativeMembers<T extends object>(
  object: T | undefined | null,
  members: readonly (keyof T & string)[],
  path: FieldPath,
): FieldError[] {
  if (!object) return [];
  return members.flatMap((member) => validateNonNegative(object[member] as number | bigint | undefined, path.child(member)));
}

/** A value that cannot change once the object exists. */
export function validateImmutable(value: unknown, old: unknown, path: FieldPath): FieldError[] {
  return sameValue(value, old) ? [] : [invalid(path, value, 'field is immutable')];
}

/** A required string that must be one of a few. */
export function validateOneOf(
  value: string | undefined | null,
  supported: readonly string[],
  path: FieldPath,
  requiredDetail = '',
): FieldError[] {
  if (!value) return [required(path, requiredDetail)];
  return supported.includes(value) ? [] : [notSupported(path, value, supported)];
}
