import {invalid, notSupported, required, type FieldError, type FieldPath} from '../../../../../sdk/index.js';
import type {SchemaProps, ValidationRule} from '../../schema-props.js';

const reasons: readonly string[] = ['FieldValueInvalid', 'FieldValueForbidden', 'FieldValueRequired', 'FieldValueDuplicate'];
const lineBreak = /[\r\n]/;

/** Errors in the text of validation rules, before any expression is parsed. */
export function ruleFormFaults(schema: SchemaProps, path: FieldPath): FieldError[] {
  return (schema['x-kubernetes-validations'] ?? []).flatMap((rule, position) =>
    faultsOf(rule, path.child('x-kubernetes-validations').index(position)),
  );
}

function faultsOf(rule: ValidationRule, path: FieldPath): FieldError[] {
  const {messageExpression, reason} = rule;
  const faults = textFaults(rule, path);
  if (messageExpression && messageExpression.trim() === '') {
    faults.push(required(path.child('messageExpression'), 'messageExpression must be non-empty if specified'));
  }
  if (reason !== undefined && !reasons.includes(reason)) faults.push(notSupported(path.child('reason'), reason, reasons));
  return faults;
}

/** Only the first error: the next one may be a consequence. */
function textFaults({rule, message = ''}: ValidationRule, path: FieldPath): FieldError[] {
  const text = rule.trim();
  const messagePath = path.child('message');
  if (text === '') return [required(path.child('rule'), 'rule is not specified')];
  if (message !== '' && message.trim() === '') return [invalid(messagePath, message, 'message must be non-empty if specified')];
  if (lineBreak.test(message.trim())) return [invalid(messagePath, message, 'message must not contain line breaks')];
  return lineBreak.test(text) && message === '' ? [required(messagePath, 'message must be specified if rule contains line breaks')] : [];
}
