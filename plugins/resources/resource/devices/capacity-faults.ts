import {
  compareQuantities,
  forbiddenField,
  addQuantities,
  invalid,
  quantityAmount,
  required,
  type FieldError,
  type FieldPath,
} from '../../../../sdk/index.js';
import {isGiven} from '../../../../sdk/validation/index.js';
import type {CapacityRequestPolicy, CapacityRequestPolicyRange, DeviceCapacity} from '../../../../sdk/types/unchecked/resource/v1.js';
import {validateSet} from './findings.js';

const maximumValues = 10;
const nano = 1_000_000_000n;

/** Errors in a capacity of a device. @param isShared whether the device may be allocated several times, each time with a part of its capacity */
export function validateCapacity({value, requestPolicy}: DeviceCapacity, path: FieldPath, isShared: boolean): FieldError[] {
  const at = path.child('requestPolicy');
  if (!requestPolicy) return [];
  return isShared ? policyFaults(requestPolicy, value ?? '0', at) : [forbiddenField(at, 'allowMultipleAllocations must be true')];
}

function policyFaults(policy: CapacityRequestPolicy, capacity: string, path: FieldPath): FieldError[] {
  const {validValues, validRange} = policy;
  const values = validValues ?? [];
  if (values.length > 0 && validRange)
    return [forbiddenField(path, 'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time')];
  if (values.length === 0 && !validRange) return [];
  const member = validRange ? 'validRange' : 'validValues';
  if (!isGiven(policy.default)) return [required(path.child('default'), `required when ${member} is defined`)];
  const at = path.child(member);
  return validRange ? rangeFaults(policy.default, capacity, validRange, at) : valuesFaults(policy.default, capacity, values, at);
}

function valuesFaults(standard: string, capacity: string, values: readonly string[], path: FieldPath): FieldError[] {
  const faults = values.flatMap((value, index) =>
    index > 0 && compareQuantities(values[index - 1], value) > 0
      ? [invalid(path.index(index), value, 'values must be sorted in ascending order')]
      : [],
  );
  faults.push(
    ...validateSet(
      values,
      maximumValues,
      path,
      (value, at) =>
        compareQuantities(value, capacity) > 0 ? [invalid(at, value, `option is larger than capacity value: ${capacity}`)] : [],
      (value) => wholeAmount(value).toString(),
    ),
  );
  // Values that are too many are not looked at.
  const isKnown = values.length <= maximumValues && values.some((value) => compareQuantities(value, standard) === 0);
  return isKnown ? faults : [...faults, invalid(path, standard, 'default value is not valid according to the requestPolicy')];
}

function rangeFaults(standard: string, capacity: string, {min, max, step}: CapacityRequestPolicyRange, path: FieldPath): FieldError[] {
  const minPath = path.child('min');
  if (!isGiven(min)) return [required(minPath, 'required when validRange is defined')];
  const faults: FieldError[] = [];
  if (compareQuantities(min, capacity) > 0) faults.push(invalid(minPath, min, `min is larger than capacity value: ${capacity}`));
  if (compareQuantities(standard, min) < 0) faults.push(invalid(minPath, standard, `default is less than min: ${min}`));
  if (isGiven(max)) {
    const at = path.child('max');
    if (compareQuantities(min, max) > 0) faults.push(invalid(at, min, `min is larger than max: ${max}`));
    if (compareQuantities(max, capacity) > 0) faults.push(invalid(at, max, `max is larger than capacity value: ${capacity}`));
    if (compareQuantities(standard, max) > 0) faults.push(invalid(at, standard, `default is more than max: ${max}`));
  }
  if (isGiven(step)) {
    const at = path.child('step');
    const next = addQuantities(min, step);
    if (compareQuantities(next, capacity) > 0)
      faults.push(invalid(at, step, `one step ${next} is larger than capacity value: ${capacity}`));
    for (const value of isGiven(max) ? [standard, max] : [standard]) {
      const size = wholeAmount(step);
      // A step of nothing ends Kubernetes' check in a panic.
      if (size === 0n || (wholeAmount(value) - wholeAmount(min)) % size !== 0n)
        faults.push(invalid(at, value, `value is not a multiple of a given step (${step}) from (${min})`));
    }
  }
  return faults;
}

/** Rounded up, as Kubernetes compares steps. */
function wholeAmount(quantity: string): bigint {
  const amount = quantityAmount(quantity);
  return amount > 0n ? (amount + nano - 1n) / nano : amount / nano - (amount % nano === 0n ? 0n : 1n);
}
