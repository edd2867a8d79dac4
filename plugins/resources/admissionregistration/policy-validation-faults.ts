import {invalid, notSupported, required, type FieldError, type FieldPath} from '../../../sdk/index.js';
import type {Validation} from '../../../sdk/types/unchecked/admissionregistration/v1alpha1.js';

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const lineBreak = /[\r\n]/;

/** Errors in one validation of a policy, except those in the expression itself. */
export function policyValidationFaults({expression = '', message = '', reason}: Validation, path: FieldPath): FieldError[] {
  const messagePath = path.child('message');
  const faults: FieldError[] = [];
  if (expression.trim() === '') faults.push(required(path.child('expression'), 'expression is not specified'));
  if (message !== '' && message.trim() === '') faults.push(invalid(messagePath, message, 'message must be non-empty if specified'));
  else if (lineBreak.test(message.trim())) faults.push(invalid(messagePath, message, 'message must not contain line breaks'));
  else if (message === '' && lineBreak.test(expression.trim()))
    faults.push(required(messagePath, 'message must be specified if expression contains line breaks'));
  if (reason !== undefined && reason !== null && !reasons.includes(reason))
    faults.push(notSupported(path.child('reason'), reason, reasons));
  return faults;
}
