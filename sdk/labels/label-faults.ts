import {invalid, tooLong, type FieldError} from '../errors/field-error.js';
import type {FieldPath} from '../errors/field-path.js';
import {labelValueFaults} from '../values/name-formats.js';
import {qualifiedNameFaults} from '../values/qualified-name.js';

/** Maximum total bytes of the keys and values of an object's annotations. */
const maximumAnnotationBytes = 256 * 1024;

/** Errors in a map of labels other than an object's own: a template's labels, a node selector, `matchLabels`. */
export function validateLabels(labels: Readonly<Record<string, string>> | undefined, path: FieldPath): FieldError[] {
  const faults: FieldError[] = [];
  for (const [key, value] of Object.entries(labels ?? {})) {
    for (const detail of qualifiedNameFaults(key)) faults.push(invalid(path, key, detail));
    for (const detail of labelValueFaults(value)) faults.push(invalid(path, value, detail));
  }
  return faults;
}

/** Errors in annotations other than an object's own. Keys are case-insensitive qualified names. */
export function validateAnnotations(annotations: Readonly<Record<string, string>> | undefined, path: FieldPath): FieldError[] {
  const faults: FieldError[] = [];
  let bytes = 0;
  for (const [key, value] of Object.entries(annotations ?? {})) {
    for (const detail of qualifiedNameFaults(key.toLowerCase())) faults.push(invalid(path, key, detail));
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (bytes > maximumAnnotationBytes) faults.push(tooLong(path, maximumAnnotationBytes));
  return faults;
}
