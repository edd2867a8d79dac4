import {invalid, notSupported, required, type FieldError, type FieldPath} from '../../../../../sdk/index.js';
import type {SchemaProps, ValidationRule} from '../../schema-props.js';
import {fieldAt} from './field-at.js';

const reasons: readonly string[] = ['FieldValueInvalid', 'FieldValueForbidden', 'FieldValueRequired', 'FieldValueDuplicate'];
const lineBreak = /[\r\n]/;

/**
 * Errors in the text of validation rules, before any expression is parsed.
 *
 * @param shortDetails whether texts leave out the name of the field
 */
export function ruleFormFaults(schema: SchemaProps, path: FieldPath, shortDetails: boolean): FieldError[] {
  return (schema['x-kubernetes-validations'] ?? []).flatMap((rule, position) => {
    const at = path.child('x-kubernetes-validations').index(position);
    return [...textFaults(rule, at, shortDetails), ...formFaults(rule, schema, at, shortDetails)];
  });
}

/** Begins with the name of the field, unless that is left out. */
function detailOf(field: string, detail: string, isShort: boolean): string {
  return isShort ? detail : `${field} ${detail}`;
}

function formFaults(rule: ValidationRule, schema: SchemaProps, path: FieldPath, isShort: boolean): FieldError[] {
  const {messageExpression, reason, fieldPath} = rule;
  const faults: FieldError[] = [];
  if (messageExpression && messageExpression.trim() === '')
    faults.push(required(path.child('messageExpression'), 'messageExpression must be non-empty if specified'));
  if (reason !== undefined && !reasons.includes(reason)) faults.push(notSupported(path.child('reason'), reason, reasons));
  if (!fieldPath) return faults;
  const report = (detail: string) => faults.push(invalid(path.child('fieldPath'), fieldPath, detailOf('fieldPath', detail, isShort)));
  if (fieldPath.trim() === '') report('must be non-empty if specified');
  if (lineBreak.test(fieldPath)) report('must not contain line breaks');
  if (typeof fieldAt(fieldPath, schema, true) === 'string') report('must be a valid path');
  return faults;
}

/** Only the first error: the next one may be a consequence. */
function textFaults({rule, message = ''}: ValidationRule, path: FieldPath, isShort: boolean): FieldError[] {
  const text = rule.trim();
  const messagePath = path.child('message');
  if (text === '') return [required(path.child('rule'), 'rule is not specified')];
  if (message !== '' && message.trim() === '')
    return [invalid(messagePath, message, detailOf('message', 'must be non-empty if specified', isShort))];
  if (lineBreak.test(message.trim())) return [invalid(messagePath, message, detailOf('message', 'must not contain line breaks', isShort))];
  return lineBreak.test(text) && message === '' ? [required(messagePath, 'message must be specified if rule contains line breaks')] : [];
}
