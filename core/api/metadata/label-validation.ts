import {invalid, tooLong, typeInvalid, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {isJsonObject} from '../json/is-json-object.js';
import {labelValueFaults, qualifiedNameFaults} from './name-formats.js';

/** All keys and values of an object's annotations together may have this many bytes. */
export const maximumAnnotationBytes = 256 * 1024;

/** The entries of a map of texts; null counts as empty. Anything else is reported and left out. */
function entriesOf(value: unknown, path: FieldPath, faults: FieldError[]): [string, string][] {
  if (value === undefined || value === null) return [];
  if (!isJsonObject(value)) {
    faults.push(typeInvalid(path, value, 'must be an object'));
    return [];
  }
  const entries: [string, string][] = [];
  for (const [key, text] of Object.entries(value)) {
    if (typeof text === 'string') entries.push([key, text]);
    else faults.push(typeInvalid(path.key(key), text, 'must be a string'));
  }
  return entries;
}

/** Keys are qualified names, values label values. */
export function validateLabels(labels: unknown, path: FieldPath): FieldError[] {
  const faults: FieldError[] = [];
  for (const [key, value] of entriesOf(labels, path, faults)) {
    for (const fault of qualifiedNameFaults(key)) faults.push(invalid(path, key, fault));
    for (const fault of labelValueFaults(value)) faults.push(invalid(path, value, fault));
  }
  return faults;
}

/** Keys are qualified names whatever their case; keys and values together have at most `maximumAnnotationBytes`. */
export function validateAnnotations(annotations: unknown, path: FieldPath): FieldError[] {
  const faults: FieldError[] = [];
  let bytes = 0;
  for (const [key, value] of entriesOf(annotations, path, faults)) {
    for (const fault of qualifiedNameFaults(key.toLowerCase())) faults.push(invalid(path, key, fault));
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (bytes > maximumAnnotationBytes) faults.push(tooLong(path, maximumAnnotationBytes));
  return faults;
}
