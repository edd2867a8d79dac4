import {invalid, notSupported, required, type FieldError} from '../errors/field-error.js';
import type {FieldPath} from '../errors/field-path.js';

/** What is wrong with a text, in Kubernetes' words; nothing when it is right. */
export type TextRule = (text: string) => string[];

/** One fault for each detail that a rule found. */
export function invalidFor(path: FieldPath, value: unknown, details: readonly string[]): FieldError[] {
  return details.map((detail) => invalid(path, value, detail));
}

/** A text that must be there and, where a rule is given, keep it. */
export function validateText(value: string | undefined | null, path: FieldPath, rule?: TextRule, requiredDetail = ''): FieldError[] {
  if (!value) return [required(path, requiredDetail)];
  return rule ? invalidFor(path, value, rule(value)) : [];
}

/** A text that keeps a rule where it is there. An empty one counts as absent. */
export function validateOptionalText(value: string | undefined | null, path: FieldPath, rule: TextRule): FieldError[] {
  return value ? invalidFor(path, value, rule(value)) : [];
}

/** A text that keeps a rule where the field is there. An empty text counts as there: of such fields Kubernetes tells absent and empty apart. */
export function validateGivenText(value: string | undefined | null, path: FieldPath, rule: TextRule): FieldError[] {
  return value === undefined || value === null ? [] : invalidFor(path, value, rule(value));
}

/** A text that is one of a few where it is there. An empty text counts as there. */
export function validateOptionalOneOf(value: string | undefined | null, supported: readonly string[], path: FieldPath): FieldError[] {
  if (value === undefined || value === null || supported.includes(value)) return [];
  return [notSupported(path, value, supported)];
}
