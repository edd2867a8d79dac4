import {meter} from './cost-meter.js';
import {bytesPerStep, comparisonOf, weightOf} from './weight.js';

/** The steps that an operation takes with these operands, beyond the one for its turn. A method's first operand is its receiver. */
export type Charge = (first: unknown, second: unknown, third: unknown) => number;

const copied = (value: unknown) => sizeOf(value) / bytesPerStep;
/** Functions that look at each character by itself. */
const perCharacter =
  (steps: number, more = 0): Charge =>
  (text) =>
    more + sizeOf(text) * steps;
const fixed =
  (steps: number): Charge =>
  () =>
    steps;
const whole =
  (factor: number): Charge =>
  (value) =>
    weightOf(value, meter.left / factor) * factor;

/** Before the content of two lists, maps or values of different kinds is compared: the library looks up how, or makes an error. */
const stepsPerPair = 60;

const compared: Charge = (a, b) => {
  if (isPlainPair(a, b)) return typeof a === 'string' && typeof b === 'string' ? 2 + Math.min(a.length, b.length) / bytesPerStep : 2;
  return stepsPerPair + comparisonOf(a, b, meter.left);
};
const ordered: Charge = (a, b) => (typeof a === 'bigint' || typeof a === 'number' ? 1 : 1 + Math.min(copied(a), copied(b)));

const operators: Readonly<Record<string, Charge>> = {
  '_==_': compared,
  '_!=_': compared,
  // A search charges for itself.
  '@in': fixed(1),
  '_<_': ordered,
  '_<=_': ordered,
  '_>_': ordered,
  '_>=_': ordered,
  '_+_': (a, b) => 1 + summed(a) + summed(b),
  '_-_': fixed(1),
  '_*_': fixed(1),
  '_/_': fixed(1),
  '_%_': fixed(1),
  // A key that there is not is named in the error.
  '_[_]': (_value, key) => keyed(key),
  '_[?_]': (_value, key) => keyed(key),
};

/** By name, whatever the types. Those that make something large charge for it by themselves, as it grows. */
const functions: Readonly<Record<string, Charge>> = {
  size: perCharacter(1 / 3),
  contains: (text, part) => searchedText(text, part),
  startsWith: (_text, part) => sizeOf(part) / 4,
  endsWith: (_text, part) => sizeOf(part) / 4,
  indexOf: (subject, part) => (Array.isArray(subject) ? 4 * searched(subject as unknown[], part) : searchedText(subject, part)),
  lastIndexOf: (subject, part) => (Array.isArray(subject) ? 4 * searched(subject as unknown[], part) : searchedText(subject, part)),
  includes: (subject, value) => (Array.isArray(subject) ? 4 * searched(subject as unknown[], value) : compared(subject, value, undefined)),
  charAt: perCharacter(1 / 8, 14),
  substring: perCharacter(1 / 8, 14),
  trim: perCharacter(1 / 8, 4),
  lowerAscii: perCharacter(1 / 4, 20),
  upperAscii: perCharacter(1 / 4, 20),
  reverse: perCharacter(1, 20),
  split: searchedText,
  replace: searchedText,
  join: whole(2.5),
  isSorted: whole(2),
  sum: whole(2),
  min: whole(2),
  max: whole(2),
  bytes: perCharacter(1 / 8, 10),
  string: perCharacter(1 / 8, 10),
  double: perCharacter(1 / 8, 4),
  int: perCharacter(1 / 8),
  uint: perCharacter(1 / 8),
  bool: perCharacter(1 / 8),
  quantity: perCharacter(1 / 2, 30),
  isQuantity: perCharacter(1 / 2, 30),
  semver: perCharacter(1 / 2, 30),
  isSemver: perCharacter(1 / 2, 30),
  isIP: perCharacter(1 / 2, 30),
  isCIDR: perCharacter(1 / 2, 30),
  ip: perCharacter(1 / 2, 30),
  'ip.isCanonical': perCharacter(1 / 2, 60),
  cidr: perCharacter(1 / 2, 40),
  containsIP: (_cidr, text) => 20 + sizeOf(text) / 2,
  containsCIDR: (_cidr, text) => 20 + sizeOf(text) / 2,
  'sets.contains': fixed(4),
  'strings.quote': perCharacter(1 / 4, 10),
  timestamp: fixed(20),
  duration: fixed(40),
};

/** Of functions that take no time worth mentioning. */
const plain: Charge = fixed(2);

/** What a function or operator charges for its operands, before it begins. */
export function chargeOf(name: string): Charge {
  if (Object.hasOwn(operators, name)) return operators[name]!;
  const own = Object.hasOwn(functions, name) ? functions[name]! : plain;
  return (a, b, c) => 2 + own(a, b, c);
}

function isPlainPair(a: unknown, b: unknown): boolean {
  return a === null || b === null || (typeof a === typeof b && typeof a !== 'object');
}

/** Characters, bytes, items or entries. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string' || Array.isArray(value) || value instanceof Uint8Array) return value.length;
  return value instanceof Map ? value.size : 0;
}

function summed(value: unknown): number {
  return Array.isArray(value) ? value.length / 2 : copied(value);
}

/** A search goes over the text once, and over what it looks for twice. */
function searchedText(text: unknown, part: unknown): number {
  return 4 + (sizeOf(text) + 2 * sizeOf(part)) / 2.5;
}

function keyed(key: unknown): number {
  return typeof key === 'object' ? weightOf(key, meter.left) : copied(key);
}

/** Steps to compare a value with the items of a list, one after the other. */
function searched(list: readonly unknown[], value: unknown): number {
  if (typeof value === 'object' && value !== null) return 2 * weightOf(list, meter.left);
  let steps = 1 + list.length / 2;
  // Texts of different lengths are not read.
  if (typeof value === 'string' && value.length > bytesPerStep)
    for (const item of list) if (typeof item === 'string' && item.length === value.length) steps += item.length / bytesPerStep;
  return steps;
}
