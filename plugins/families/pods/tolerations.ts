import {invalid, labelValueFaults, notSupported, qualifiedNameFaults, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {validateOptionalOneOf, validateOptionalText} from '../../../sdk/validation/index.js';
import type {Toleration} from '../../../sdk/types/unchecked/core/v1.js';

export const taintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;

/** Errors in a pod's tolerations. */
export function validateTolerations(tolerations: readonly Toleration[] | undefined, path: FieldPath): FieldError[] {
  return (tolerations ?? []).flatMap((toleration, index) => validateToleration(toleration, path.index(index)));
}

function validateToleration(toleration: Toleration, path: FieldPath): FieldError[] {
  const {key = '', operator = '', effect = '', tolerationSeconds} = toleration;
  const faults = validateOptionalText(key, path.child('key'), qualifiedNameFaults);
  if (key === '' && operator !== 'Exists') {
    faults.push(
      invalid(path.child('operator'), operator, 'operator must be Exists when `key` is empty, which means "match all values and all keys"'),
    );
  }
  if (typeof tolerationSeconds === 'number' && effect !== 'NoExecute') {
    faults.push(invalid(path.child('effect'), effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"));
  }
  faults.push(...operatorFaults(toleration, path.child('operator')));
  return effect === '' ? faults : [...faults, ...validateOptionalOneOf(effect, taintEffects, path.child('effect'))];
}

function operatorFaults(toleration: Toleration, path: FieldPath): FieldError[] {
  const {operator = '', value = ''} = toleration;
  switch (operator) {
    case '':
    case 'Equal': {
      const details = labelValueFaults(value);
      return details.length > 0 ? [invalid(path, value, details.join(';'))] : [];
    }
    case 'Exists':
      return value === '' ? [] : [invalid(path, toleration, "value must be empty when `operator` is 'Exists'")];
    default:
      return [notSupported(path, operator, ['Equal', 'Exists'])];
  }
}
