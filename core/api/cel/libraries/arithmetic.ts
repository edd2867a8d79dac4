import {meter} from '../cost-meter.js';
import {equal, isOfSchema, keyOf, markOfSchema} from '../values/equality.js';
import {Fault, noSuchOverload} from '../values/fault.js';
import {KeyedList, SetList} from '../values/schema-lists.js';
import {DurationValue, TimestampValue} from '../values/times.js';
import {isInt64, Uint} from '../values/uint.js';
import {overflows} from './conversions.js';

type Operation = (a: bigint, b: bigint) => bigint;

export function add(a: unknown, b: unknown): unknown {
  if (typeof a === 'string') return typeof b === 'string' ? a + b : noSuchOverload();
  if (Array.isArray(a)) return Array.isArray(b) ? joined(a, b) : noSuchOverload();
  if (a instanceof Uint8Array) return b instanceof Uint8Array ? Buffer.concat([a, b]) : noSuchOverload();
  if (a instanceof DurationValue) {
    if (b instanceof DurationValue) return durationOf(a.nanos + b.nanos);
    return b instanceof TimestampValue ? timestampOf(a.nanos + b.nanos) : noSuchOverload();
  }
  if (a instanceof TimestampValue) return b instanceof DurationValue ? timestampOf(a.nanos + b.nanos) : noSuchOverload();
  return typeof a === 'number' ? (typeof b === 'number' ? a + b : noSuchOverload()) : ofWholes(a, b, (x, y) => x + y);
}

export function subtract(a: unknown, b: unknown): unknown {
  if (typeof a === 'number') return typeof b === 'number' ? a - b : noSuchOverload();
  if (a instanceof DurationValue) return b instanceof DurationValue ? durationOf(a.nanos - b.nanos) : noSuchOverload();
  if (a instanceof TimestampValue) {
    if (b instanceof DurationValue) return timestampOf(a.nanos - b.nanos);
    return b instanceof TimestampValue ? durationOf(a.nanos - b.nanos) : noSuchOverload();
  }
  return ofWholes(a, b, (x, y) => x - y);
}

export function multiply(a: unknown, b: unknown): unknown {
  if (typeof a === 'number') return typeof b === 'number' ? a * b : noSuchOverload();
  return ofWholes(a, b, (x, y) => x * y);
}

export function divide(a: unknown, b: unknown): unknown {
  if (typeof a === 'number') return typeof b === 'number' ? a / b : noSuchOverload();
  return isZero(b) && sameKind(a, b) ? new Fault('division by zero') : ofWholes(a, b, (x, y) => x / y);
}

export function remainder(a: unknown, b: unknown): unknown {
  return isZero(b) && sameKind(a, b) ? new Fault('modulus by zero') : ofWholes(a, b, (x, y) => x % y);
}

export function negate(value: unknown): unknown {
  if (typeof value === 'number') return -value;
  if (typeof value === 'bigint') return isInt64(-value) ? -value : overflows.int;
  return value instanceof DurationValue ? durationOf(-value.nanos) : noSuchOverload();
}

function isZero(value: unknown): boolean {
  return value === 0n || (value instanceof Uint && value.value === 0n);
}

function sameKind(a: unknown, b: unknown): boolean {
  return typeof a === typeof b && a instanceof Uint === b instanceof Uint;
}

function ofWholes(a: unknown, b: unknown, operation: Operation): unknown {
  if (typeof a === 'bigint' && typeof b === 'bigint') {
    const result = operation(a, b);
    return isInt64(result) ? result : overflows.int;
  }
  if (!(a instanceof Uint) || !(b instanceof Uint)) return noSuchOverload();
  const result = operation(a.value, b.value);
  return Uint.isIn(result) ? new Uint(result) : overflows.uint;
}

function durationOf(nanos: bigint): DurationValue | Fault {
  return DurationValue.isIn(nanos) ? new DurationValue(nanos) : overflows.duration;
}

function timestampOf(nanos: bigint): TimestampValue | Fault {
  return TimestampValue.isIn(nanos) ? new TimestampValue(nanos) : overflows.timestamp;
}

/** A set keeps each item once, and a list with keys the later one of each key. */
function joined(a: readonly unknown[], b: readonly unknown[]): unknown[] {
  if (a instanceof SetList) {
    meter.spend(2 * (a.length + b.length));
    const items = SetList.from(a) as SetList;
    const seen = new Set<unknown>(a);
    for (const item of b) {
      if (seen.has(item) || (typeof item === 'object' && items.some((other) => equal(other, item) === true))) continue;
      seen.add(item);
      items.push(item);
    }
    return items;
  }
  if (a instanceof KeyedList) {
    meter.spend(20 * (a.length + b.length));
    const items = KeyedList.from(a) as KeyedList;
    items.keyNames = a.keyNames;
    const places = new Map(a.map((item, at) => [keyOf(item, a.keyNames), at]));
    for (const item of b) {
      const place = places.get(keyOf(item, a.keyNames));
      if (place === undefined) items.push(item);
      else items[place] = item;
    }
    return items;
  }
  const items = [...a, ...b];
  if (isOfSchema(a)) markOfSchema(items);
  return items;
}
