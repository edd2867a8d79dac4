import {invalid, labelValueFaults, notSupported, qualifiedNameFaults, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {validateOptionalOneOf, validateOptionalText} from '../../../sdk/validation/index.js';
import type {PodSpec, Toleration} from '../../../sdk/types/unchecked/core/v1.js';
import {mayUse, type PodRules} from './pod-rules.js';

export const taintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;

/** Errors in a pod's tolerations. @param rules those of pods that compare numbers; without them nothing is compared */
export function validateTolerations(tolerations: readonly Toleration[] | undefined, path: FieldPath, rules?: PodRules): FieldError[] {
  return (tolerations ?? []).flatMap((toleration, index) => validateToleration(toleration, path.index(index), rules));
}

function validateToleration(toleration: Toleration, path: FieldPath, rules: PodRules | undefined): FieldError[] {
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
  faults.push(...operatorFaults(toleration, path, rules));
  return effect === '' ? faults : [...faults, ...validateOptionalOneOf(effect, taintEffects, path.child('effect'))];
}

function operatorFaults(toleration: Toleration, tolerationPath: FieldPath, rules: PodRules | undefined): FieldError[] {
  const path = tolerationPath.child('operator');
  const {operator = '', value = ''} = toleration;
  switch (operator) {
    case '':
    case 'Equal': {
      const details = labelValueFaults(value);
      return details.length > 0 ? [invalid(path, value, details.join(';'))] : [];
    }
    case 'Exists':
      return value === '' ? [] : [invalid(path, value, "value must be empty when `operator` is 'Exists'")];
    default:
      if ((operator === 'Gt' || operator === 'Lt') && rules && mayUse(rules, 'TaintTolerationComparisonOperators', compares))
        return numberFaults(value, tolerationPath.child('value'));
      return [notSupported(path, operator, ['Equal', 'Exists'])];
  }
}

function compares({tolerations}: PodSpec): boolean {
  return Boolean(tolerations?.some(({operator}) => operator === 'Gt' || operator === 'Lt'));
}

/** Taints are compared as whole numbers of 64 bits. */
function numberFaults(value: string, path: FieldPath): FieldError[] {
  if (value === '')
    return [invalid(path, value, 'must be non-empty'), invalid(path, value, `strconv.ParseInt: parsing "": invalid syntax`)];
  const shown = JSON.stringify(value);
  const isWhole = /^(?:0|-?[1-9]\d*)$/.test(value);
  const faults = isWhole ? [] : [invalid(path, value, 'must be a valid decimal integer in canonical form')];
  if (!/^[+-]?\d+$/.test(value)) return [...faults, invalid(path, value, `strconv.ParseInt: parsing ${shown}: invalid syntax`)];
  const isRepresentable = BigInt.asIntN(64, BigInt(value.replace('+', ''))) === BigInt(value.replace('+', ''));
  return isRepresentable ? faults : [...faults, invalid(path, value, `strconv.ParseInt: parsing ${shown}: value out of range`)];
}
