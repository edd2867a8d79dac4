import {boolType, dynType, listOf, mapOf, optionalOf} from '../types/cel-type.js';
import {Fault} from '../values/fault.js';
import {entryOf} from '../values/equality.js';
import {OptionalValue} from '../values/optional.js';
import {DurationValue, TimestampValue} from '../values/times.js';
import {Uint} from '../values/uint.js';
import {meter} from '../cost-meter.js';
import {shownValue} from './format-text.js';
import {optionalOperators} from './operators.js';
import {form, functionsOf, method, paramA, paramB, type Library} from './overload.js';

const optional = optionalOf(paramA);
const empty = new Fault('optional.none() dereference');

/** Optional values. */
export const optionalLibrary: Library = {
  feature: 'optional-types',
  types: [optionalOf(dynType)],
  functions: [
    ...functionsOf({
      'optional.of': [form([paramA], optional, (value: unknown) => OptionalValue.of(value))],
      'optional.ofNonZeroValue': [
        form([paramA], optional, (value: unknown) => (isZero(value) ? OptionalValue.none : OptionalValue.of(value))),
      ],
      'optional.none': [form([], optional, () => OptionalValue.none)],
      value: [method([optional], paramA, (value: OptionalValue) => (value.hasValue ? value.value : empty))],
      hasValue: [method([optional], boolType, ({hasValue}: OptionalValue) => hasValue)],
      // Evaluation takes the other one only where it is needed.
      or: [method([optional, optional], optional)],
      orValue: [method([optional, paramA], paramA)],
    }),
    ...optionalOperators,
  ],
};

/** Functions of lists with optional values in them. */
export const optionalListLibrary: Library = {
  feature: 'optional-lists',
  functions: functionsOf({
    last: [
      method([listOf(paramA)], optional, (items: unknown[]) => (items.length === 0 ? OptionalValue.none : OptionalValue.of(items.at(-1)))),
    ],
    first: [
      method([listOf(paramA)], optional, (items: unknown[]) => (items.length === 0 ? OptionalValue.none : OptionalValue.of(items[0]))),
    ],
    'optional.unwrap': [form([listOf(optional)], listOf(paramA), unwrapped)],
    unwrapOpt: [method([listOf(optional)], listOf(paramA), unwrapped)],
  }),
};

function isZero(value: unknown): boolean {
  if (value === null || value === false || value === '' || value === 0 || value === 0n) return true;
  if (value instanceof Map) return value.size === 0;
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length === 0;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof DurationValue) return value.nanos === 0n;
  if (value instanceof TimestampValue) return value.seconds === -62_135_596_800n;
  return value instanceof OptionalValue && !value.hasValue;
}

function unwrapped(items: readonly unknown[]): unknown[] | Fault {
  meter.spend(items.length);
  const found: unknown[] = [];
  for (const item of items) {
    if (!(item instanceof OptionalValue)) return new Fault(`value ${shownValue(item)} is not optional`);
    if (item.hasValue) found.push(item.value);
  }
  return found;
}

const map = mapOf(paramA, paramB);

/** What the macros of two variables use. */
export const twoVariableLibrary: Library = {
  feature: 'two-variables',
  functions: functionsOf({
    'cel.@mapInsert': [
      form([map, paramA, paramB], map, (target: Map<unknown, unknown>, key: unknown, value: unknown) => inserted(target, key, value)),
      form([map, map], map, (target: Map<unknown, unknown>, more: Map<unknown, unknown>) => {
        let result: Map<unknown, unknown> | Fault = target;
        for (const [key, value] of more) {
          if (result instanceof Fault) return result;
          result = inserted(result, key, value);
        }
        return result;
      }),
    ],
  }),
};

/** Only the loop that makes a map has it: entries are added to it. */
function inserted(target: Map<unknown, unknown>, key: unknown, value: unknown): Map<unknown, unknown> | Fault {
  meter.spend(6);
  if (entryOf(target, key) !== undefined) return new Fault(`insert failed: key ${shownValue(key)} already exists`);
  return target.set(key, value);
}
