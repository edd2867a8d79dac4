import {invalid, notSupported, required, type FieldError, type FieldPath} from '../../../../sdk/index.js';
import {validateOneOf} from '../../../../sdk/validation/index.js';
import type {DeviceTaint, DeviceToleration} from '../../../../sdk/types/unchecked/resource/v1.js';
import {validateKey, validateLabelValue} from './names.js';

const effects = ['NoExecute', 'NoSchedule', 'None'];

/** Errors in a taint of a device. @param old a taint whose effect may be one that is not known any more */
export function validateTaint({key, value, effect}: DeviceTaint, path: FieldPath, old?: DeviceTaint): FieldError[] {
  return [
    ...validateKey(key, path.child('key')),
    ...(value ? validateLabelValue(value, path.child('value')) : []),
    ...(old && (old.effect ?? '') === (effect ?? '') ? [] : validateOneOf(effect, effects, path.child('effect'))),
  ];
}

export function validateToleration({key, operator, value, effect}: DeviceToleration, path: FieldPath): FieldError[] {
  return [
    ...(key ? validateKey(key, path.child('key')) : []),
    ...operatorFaults(),
    ...(!effect || effects.includes(effect) ? [] : [notSupported(path.child('effect'), effect, effects)]),
  ];

  function operatorFaults(): FieldError[] {
    const at = path.child('operator');
    switch (operator) {
      case 'Exists':
        return value ? [invalid(path.child('value'), value, 'must be empty for operator `Exists`')] : [];
      case 'Equal':
        return validateLabelValue(value, path.child('value'));
      default:
        return operator ? [notSupported(at, operator, ['Equal', 'Exists'])] : [required(at)];
    }
  }
}

/** Sets the time of a taint that says none. Changes it. */
export function defaultTaint(taint: DeviceTaint | undefined | null, now: Date): void {
  if (taint) taint.timeAdded ??= wholeSeconds(now);
}

/** A time as objects have it. */
export function wholeSeconds(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, 'Z');
}
