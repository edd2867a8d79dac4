import {invalid, notSupported, required, type FieldError} from '../errors/field-error.js';
import type {FieldPath} from '../errors/field-path.js';

/** Returns the errors of a string in Kubernetes' words; none if it is valid. */
export type TextRule = (text: string) => string[];

/** One error for each problem that a rule found. */
export function invalidFor(path: FieldPath, value: unknown, details: readonly string[]): FieldError[] {
  return details.map((detail) => invalid(path, value, detail));
}

/** A required string that must follow the rule, if one is given. */
export function validateText(value: string | undefined | null, path: FieldPath, rule?: TextRule, requiredDetail = ''): FieldError[] {
  if (!value) return [required(path, requiredDetail)];
  return rule ? invalidFor(path, value, rule(value)) : [];
}

/** An optional string that must follow a rule. An empty one counts as absent. */
export function validateOptionalText(value: string | undefined | null, path: FieldPath, rule: TextRule): FieldError[] {
  return value ? invalidFor(path, value, rule(value)) : [];
}

/**
 * An optional string that must follow a rule. An empty string counts as present: for these fields Kubernetes distinguishes absent from
 * empty.
 */
export function validateGivenText(value: string | undefined | null, path: FieldPath, rule: TextRule): FieldError[] {
  return value === undefined || value === null ? [] : invalidFor(path, value, rule(value));
}

/** An optional string that must be one of a few. An empty string counts as present. */
export function validateOptionalOneOf(value: string | undefined | null, supported: readonly string[], path: FieldPath): FieldError[] {
  if (value === undefined || value === null || supported.includes(value)) return [];
  return [notSupported(path, value, supported)];
}
