import {invalid, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {equalValues} from './equal-values.js';

/** The fault of a field that may not change once the object exists; nothing when it has not. */
export function validateImmutableField(value: unknown, old: unknown, path: FieldPath): FieldError[] {
  return equalValues(value, old) ? [] : [invalid(path, value, 'field is immutable')];
}
