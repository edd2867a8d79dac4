import {invalid, required, tooLong, type FieldError, type FieldPath} from '../../../../sdk/index.js';

/** The most that drivers may keep in parameters. */
export const maximumOpaqueBytes = 10 * 1024;

/** Errors in a value of a driver: it must be an object. */
export function jsonObjectFaults(value: unknown, path: FieldPath, maximumBytes: number): FieldError[] {
  if (value === undefined || value === null) return [required(path)];
  if (Buffer.byteLength(JSON.stringify(value)) > maximumBytes) return [tooLong(path, maximumBytes)];
  return typeof value === 'object' && !Array.isArray(value) ? [] : [invalid(path, '<value omitted>', 'must be a valid JSON object')];
}
