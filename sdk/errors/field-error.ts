import type {StatusCause} from '../objects/status.js';
import {countFault} from './fault-limit.js';
import type {FieldPath} from './field-path.js';
import {cutText, messageLimits} from './message-limits.js';
import {shownPath} from './shown-path.js';
import {shownValue} from './shown-value.js';

/** The reasons of field errors, as they appear in `details.causes[].reason`. */
export type FieldErrorReason =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueTypeInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'InternalError';

/**
 * One error of one field. Validation returns a list of them, so that a user sees all at once.
 * `body` is the message without the path.
 */
export interface FieldError {
  readonly reason: FieldErrorReason;
  readonly field: string;
  readonly body: string;
}

function error(reason: FieldErrorReason, path: FieldPath, body: string): FieldError {
  // An error about the object as a whole has no path.
  return countFault({reason, field: path.isRoot ? '<nil>' : shownPath(path.toString()), body: cutText(body, messageLimits.fault)});
}

export function required(path: FieldPath, detail = ''): FieldError {
  return error('FieldValueRequired', path, detail === '' ? 'Required value' : `Required value: ${detail}`);
}

export function invalid(path: FieldPath, value: unknown, detail: string): FieldError {
  return error('FieldValueInvalid', path, `Invalid value: ${shownValue(value)}${detail === '' ? '' : `: ${detail}`}`);
}

/** Without the value, which may be large. */
export function invalidUnseen(path: FieldPath, detail: string): FieldError {
  return error('FieldValueInvalid', path, `Invalid value: ${detail}`);
}

export function typeInvalid(path: FieldPath, value: unknown, detail: string): FieldError {
  return error('FieldValueTypeInvalid', path, `Invalid value: ${shownValue(value)}: ${detail}`);
}

export function notSupported(path: FieldPath, value: unknown, supported: readonly string[]): FieldError {
  const values = [...supported]
    .sort()
    .map((entry) => JSON.stringify(entry))
    .join(', ');
  return error('FieldValueNotSupported', path, `Unsupported value: ${shownValue(value)}: supported values: ${values}`);
}

export function duplicate(path: FieldPath, value: unknown): FieldError {
  return error('FieldValueDuplicate', path, `Duplicate value: ${shownValue(value)}`);
}

/** Without the value, which may be large. */
export function duplicateUnseen(path: FieldPath): FieldError {
  return error('FieldValueDuplicate', path, 'Duplicate value');
}

export function forbiddenField(path: FieldPath, detail: string): FieldError {
  return error('FieldValueForbidden', path, `Forbidden: ${detail}`);
}

export function notFoundField(path: FieldPath, value: unknown): FieldError {
  return error('FieldValueNotFound', path, `Not found: ${shownValue(value)}`);
}

export function tooLong(path: FieldPath, maximumBytes: number): FieldError {
  return error('FieldValueTooLong', path, `Too long: must have at most ${maximumBytes} bytes`);
}

export function tooMany(path: FieldPath, count: number, maximum: number): FieldError {
  return error('FieldValueTooMany', path, `Too many: ${count}: must have at most ${maximum} items`);
}

export function internalFieldError(path: FieldPath, detail: string): FieldError {
  return error('InternalError', path, `Internal error: ${detail}`);
}

/** The message of a field error as users read it: `PATH: BODY`. */
export function fieldErrorText(fault: FieldError): string {
  return `${fault.field}: ${fault.body}`;
}

export function fieldErrorCause(fault: FieldError): StatusCause {
  return {reason: fault.reason, message: fault.body, field: fault.field};
}
