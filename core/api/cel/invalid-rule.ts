import {invalid, invalidUnseen, type FieldError, type FieldPath} from '../../../sdk/index.js';
import type {CelFeatures} from './features.js';
import {quotedText} from '../json/quoted-text.js';
import {shortText} from './short-text.js';
import type {ValidationRule} from './validation-rule.js';

/** The error of a rule, which it shows with all that a rule can have. */
export function invalidRule(path: FieldPath, source: ValidationRule, detail: string, features: CelFeatures): FieldError {
  return features.has('rules-as-json')
    ? invalid(path, membersOf(source), detail)
    : invalidUnseen(path, `apiextensions.ValidationRule{${membersAsGo(source, features)}}: ${detail}`);
}

function membersOf({rule, message = '', messageExpression = '', reason, fieldPath = '', optionalOldSelf}: ValidationRule): object {
  return {
    Rule: rule,
    Message: message,
    MessageExpression: messageExpression,
    Reason: reason ?? null,
    FieldPath: fieldPath,
    OptionalOldSelf: optionalOldSelf ?? null,
  };
}

function membersAsGo(source: ValidationRule, features: CelFeatures): string {
  const {rule, message = '', messageExpression = '', reason, fieldPath = '', optionalOldSelf} = source;
  const members = [`Rule:${shown(rule)}`, `Message:${shown(message)}`];
  if (features.has('rules-with-messages')) members.push(`MessageExpression:${shown(messageExpression)}`);
  if (features.has('rules-with-paths'))
    members.push(`Reason:${pointer('apiextensions.FieldValueErrorReason', reason)}`, `FieldPath:${shown(fieldPath)}`);
  if (features.has('rules-with-optional-values')) members.push(`OptionalOldSelf:${pointer('bool', optionalOldSelf)}`);
  return members.join(', ');
}

/** An address says nothing, and differs each time. */
function pointer(type: string, value: unknown): string {
  return `(*${type})(${value === undefined ? 'nil' : '0xc000000000'})`;
}

function shown(text: string): string {
  return quotedText(shortText(text));
}
