import {
  compareQuantities,
  duplicate,
  FieldPath,
  forbiddenField,
  invalid,
  qualifiedNameFaults,
  quantityAmount,
  required,
  type FieldError,
  type NamingProfile,
} from '../../../sdk/index.js';
import {invalidFor} from '../../../sdk/validation/index.js';
import type {LimitRange, LimitRangeItem} from '../../../sdk/types/unchecked/core/v1.js';
import {containerResourceNameFaults, isHugePages, isNativeResource, resourceNameFaults} from '../../families/pods/resource-names.js';
import type {Amounts} from './core-types.js';

const limitsPath = FieldPath.of('spec', 'limits');
const knownTypes = ['Pod', 'Container', 'PersistentVolumeClaim'];
const members = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;

/** Errors in the limits of a namespace: each type occurs once, and bounds and defaults are in order. */
export function limitRangeFaults({spec}: LimitRange, naming: NamingProfile): FieldError[] {
  const seen = new Set<string>();
  return (spec?.limits ?? []).flatMap((item, index) => {
    const at = limitsPath.index(index);
    const {type = ''} = item;
    const faults = invalidFor(at.child('type'), type, typeFaults(type));
    if (seen.has(type)) faults.push(duplicate(at.child('type'), type));
    seen.add(type);
    return [...faults, ...nameFaults(item, at, naming), ...kindFaults(item, at), ...boundFaults(item, at, naming)];
  });
}

function typeFaults(type: string): string[] {
  const faults = qualifiedNameFaults(type);
  if (faults.length === 0 && !type.includes('/') && !knownTypes.includes(type))
    faults.push('must be a standard limit type or fully qualified');
  return faults;
}

function nameFaults(item: LimitRangeItem, path: FieldPath, naming: NamingProfile): FieldError[] {
  const isForPods = item.type === 'Pod' || item.type === 'Container';
  return members.flatMap((member) => {
    // Defaults of pods are rejected as a whole.
    if (item.type === 'Pod' && (member === 'default' || member === 'defaultRequest')) return [];
    return Object.keys(item[member] ?? {}).flatMap((name) =>
      invalidFor(path.child(member).key(name), name, isForPods ? containerResourceNameFaults(name, naming) : resourceNameFaults(name)),
    );
  });
}

function kindFaults({type, default: limits = {}, defaultRequest = {}, min = {}, max = {}}: LimitRangeItem, path: FieldPath): FieldError[] {
  if (type === 'Pod') {
    const given = Object.entries({default: limits, defaultRequest}).filter(([, amounts]) => Object.keys(amounts).length > 0);
    return given.map(([member]) => forbiddenField(path.child(member), "may not be specified when `type` is 'Pod'"));
  }
  if (type === 'PersistentVolumeClaim' && !Object.hasOwn(min, 'storage') && !Object.hasOwn(max, 'storage')) {
    return [required(path.child('limits'), 'either minimum or maximum storage value is required, but neither was provided')];
  }
  return [];
}

function boundFaults(item: LimitRangeItem, path: FieldPath, naming: NamingProfile): FieldError[] {
  const names = new Set(members.flatMap((member) => Object.keys(item[member] ?? {})));
  return [...names].flatMap((name) => boundFaultsOf(name, item, path, naming));
}

/** Pairs of which the first must not be greater than the second: members, their words, and the place of the error. */
const order = [
  {low: 'min', high: 'max', words: ['min', 'max'], at: 'min', shown: 'min'},
  {low: 'min', high: 'defaultRequest', words: ['min', 'default request'], at: 'defaultRequest', shown: 'defaultRequest'},
  {low: 'defaultRequest', high: 'max', words: ['default request', 'max'], at: 'defaultRequest', shown: 'defaultRequest'},
  {low: 'defaultRequest', high: 'default', words: ['default request', 'default limit'], at: 'defaultRequest', shown: 'defaultRequest'},
  {low: 'min', high: 'default', words: ['min', 'default'], at: 'default', shown: 'min'},
  {low: 'default', high: 'max', words: ['default', 'max'], at: 'default', shown: 'max'},
] as const;

function boundFaultsOf(name: string, item: LimitRangeItem, path: FieldPath, naming: NamingProfile): FieldError[] {
  const faults: FieldError[] = [];
  for (const {low, high, words, at, shown} of order) {
    const lower = amountOf(item[low], name);
    const upper = amountOf(item[high], name);
    if (lower === undefined || upper === undefined || compareQuantities(lower, upper) <= 0) continue;
    const detail = `${words[0]} value ${lower} is greater than ${words[1]} value ${upper}`;
    faults.push(invalid(path.child(at).key(name), amountOf(item[shown], name), detail));
  }
  const limit = amountOf(item.default, name);
  const request = amountOf(item.defaultRequest, name);
  const isShared = isNativeResource(name, naming) && !isHugePages(name);
  if (!isShared && limit !== undefined && request !== undefined && compareQuantities(limit, request) !== 0) {
    const detail = `default value ${limit} must equal to defaultRequest value ${request} in ${name}`;
    faults.push(invalid(path.child('defaultRequest').key(name), request, detail));
  }
  return [...faults, ...ratioFaults(name, item, path)];
}

function ratioFaults(name: string, {min, max, maxLimitRequestRatio}: LimitRangeItem, path: FieldPath): FieldError[] {
  const ratio = amountOf(maxLimitRequestRatio, name);
  if (ratio === undefined) return [];
  const at = path.child('maxLimitRequestRatio').key(name);
  if (compareQuantities(ratio, '1') < 0) return [invalid(at, ratio, `ratio ${ratio} is less than 1`)];
  const low = quantityAmount(amountOf(min, name));
  const high = quantityAmount(amountOf(max, name));
  // Compared without division: ratio × min > max.
  if (low <= 0n || amountOf(max, name) === undefined || quantityAmount(ratio) * low <= high * 1_000_000_000n) return [];
  return [invalid(at, ratio, `ratio ${ratio} is greater than max/min = ${(Number(high) / Number(low)).toFixed(6)}`)];
}

function amountOf(amounts: Amounts | undefined, name: string): string | undefined {
  return amounts && Object.hasOwn(amounts, name) ? amounts[name] : undefined;
}
