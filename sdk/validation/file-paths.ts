import {invalid, type FieldError} from '../errors/field-error.js';
import type {FieldPath} from '../errors/field-path.js';

/** A path without `..` steps. */
export function noBacksteps(path: FieldPath, text: string): FieldError[] {
  return text.split('/').includes('..') ? [invalid(path, text, "must not contain '..'")] : [];
}

/** A path that stays below its base folder. */
export function relativePath(path: FieldPath, text: string): FieldError[] {
  return [...(text.startsWith('/') ? [invalid(path, text, 'must be a relative path')] : []), ...noBacksteps(path, text)];
}

/** A relative path that cannot be confused with a reserved name that starts with two dots. */
export function relativeFilePath(path: FieldPath, text: string): FieldError[] {
  const faults = relativePath(path, text);
  // A `..` step has been reported already.
  if (text.startsWith('..') && !text.startsWith('../') && text !== '..') faults.push(invalid(path, text, "must not start with '..'"));
  return faults;
}

/** The permission bits of a file; a missing one passes. */
export function fileMode(value: number | undefined | null, path: FieldPath): FieldError[] {
  if (value === undefined || value === null || (value >= 0 && value <= 0o777)) return [];
  return [invalid(path, value, 'must be a number between 0 and 0777 (octal), both inclusive')];
}
