import {forbiddenField, FieldPath, invalid, type FieldError} from '../../../sdk/index.js';

/** Maximum total bytes of the values in a config map or secret. */
export const maximumDataBytes = 1024 * 1024;

const none: readonly string[] = [];
const keyPattern = /^[-._a-zA-Z0-9]+$/;

/** Errors in the keys of `data` and `binaryData`: they may become file names. */
export function dataKeyFaults(keys: Iterable<string>, path: FieldPath): FieldError[] {
  const faults: FieldError[] = [];
  for (const key of keys) for (const detail of keyFaults(key)) faults.push(invalid(path.key(key), key, detail));
  return faults;
}

function keyFaults(key: string): readonly string[] {
  if (key.length <= 253 && keyPattern.test(key) && !key.startsWith('.')) return none;
  const faults: string[] = [];
  if (key.length > 253) faults.push('must be no more than 253 characters');
  if (!keyPattern.test(key)) {
    faults.push(
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.' " +
        "(e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
    );
  }
  if (key === '.') faults.push("must not be '.'");
  else if (key === '..') faults.push("must not be '..'");
  else if (key.startsWith('..')) faults.push("must not start with '..'");
  return faults;
}

/** The number of bytes that a base64 string decodes to. */
export function decodedBytes(base64: string): number {
  let characters = base64.length;
  while (characters > 0 && base64.charCodeAt(characters - 1) === 0x3d) characters -= 1;
  return Math.floor((characters * 3) / 4);
}

interface Freezable {
  immutable?: boolean;
}

/** Errors in an update of an object declared `immutable`. */
export function immutabilityFaults<T extends Freezable>(object: T, old: T, members: readonly (keyof T & string)[]): FieldError[] {
  if (old.immutable !== true) return [];
  const detail = 'field is immutable when `immutable` is set';
  const faults: FieldError[] = [];
  if (object.immutable !== true) faults.push(forbiddenField(FieldPath.of('immutable'), detail));
  for (const member of members) {
    const now = object[member] as Record<string, string> | null | undefined;
    const before = old[member] as Record<string, string> | null | undefined;
    if (!sameEntries(now ?? {}, before ?? {})) faults.push(forbiddenField(FieldPath.of(member), detail));
  }
  return faults;
}

function sameEntries(left: Record<string, string>, right: Record<string, string>): boolean {
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => Object.hasOwn(right, key) && left[key] === right[key]);
}
