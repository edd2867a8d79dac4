import {FieldPath, invalid, tooLong, type FieldError} from '../../../sdk/index.js';

const path = FieldPath.of('parameters');
const maximumBytes = 256 * 1024;

/** The most parameters that a class may have. */
export const maximumParameters = 512;

/** Errors in the parameters of a class: all have names, and together they are at most 256 KiB. */
export function parameterBytesFaults(parameters: Readonly<Record<string, string>> | undefined): FieldError[] {
  const faults: FieldError[] = [];
  let bytes = 0;
  for (const [key, value] of Object.entries(parameters ?? {})) {
    if (key === '') faults.push(invalid(path, key, 'field can not be empty.'));
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  return bytes > maximumBytes ? [...faults, tooLong(path, maximumBytes)] : faults;
}
