import type {JsonValue} from '../../../../sdk/index.js';
import {equalJson} from '../../../../sdk/values/equal-json.js';
import {CelType} from '../types/cel-type.js';
import {meter} from '../cost-meter.js';
import {Entries} from './entries.js';
import {Fault, noSuchOverload} from './fault.js';
import {ObjectValue} from './object-value.js';
import {OpaqueValue} from './opaque.js';
import {OptionalValue} from './optional.js';
import {KeyedList, SetList} from './schema-lists.js';
import {DurationValue, TimestampValue} from './times.js';
import {Uint} from './uint.js';

/** Whether two values are equal, whatever their types: numbers of different types by what they stand for. */
export function equal(a: unknown, b: unknown): boolean | Fault {
  if (a instanceof Fault) return a;
  if (b instanceof Fault) return b;
  if (a === null || b === null) return a === b;
  if (typeof a !== 'object') {
    if (typeof a === typeof b) return a === b;
    return (typeof a === 'bigint' || typeof a === 'number') && compareNumbers(a, b) === 0;
  }
  if (Array.isArray(a)) return equalLists(a, b);
  if (a instanceof Map) return equalMaps(a, b);
  if (a instanceof Uint) return compareNumbers(a, b) === 0;
  if (a instanceof TimestampValue) return b instanceof TimestampValue && a.nanos === b.nanos;
  if (a instanceof DurationValue) return b instanceof DurationValue && a.nanos === b.nanos;
  if (a instanceof Uint8Array) return b instanceof Uint8Array && Buffer.compare(a, b) === 0;
  if (a instanceof OptionalValue) {
    if (!(b instanceof OptionalValue) || a.hasValue !== b.hasValue) return false;
    return !a.hasValue || equal(a.value, b.value);
  }
  // Lists and maps within a type say nothing.
  if (a instanceof CelType) return b instanceof CelType && a.kind === b.kind && a.name === b.name;
  if (a instanceof OpaqueValue) return b instanceof OpaqueValue && a.type === b.type ? a.equals(b) : noSuchOverload();
  return a === b;
}

/** Negative, 0, positive; undefined where there is no order: other values than numbers, and what is no number. */
export function compareNumbers(a: unknown, b: unknown): number | undefined {
  const [left, right] = [a instanceof Uint ? a.value : a, b instanceof Uint ? b.value : b];
  if ((typeof left !== 'bigint' && typeof left !== 'number') || (typeof right !== 'bigint' && typeof right !== 'number')) return undefined;
  if (left === right) return 0;
  // A whole number is compared with another as the nearest one that the other can be.
  const [x, y] = typeof left === typeof right ? [left, right] : [Number(left), Number(right)];
  return x < y ? -1 : x > y ? 1 : x === y ? 0 : undefined;
}

function equalLists(a: readonly unknown[], b: unknown): boolean | Fault {
  if (!Array.isArray(b)) return isOfSchema(a) ? noSuchOverload() : false;
  if (a.length !== b.length) return false;
  if (a instanceof SetList) {
    const items = new Set(a);
    return b.every((item) => items.has(item));
  }
  if (a instanceof KeyedList) return equalKeyed(a, b);
  for (let at = 0; at < a.length; at += 1) {
    const found = equal(a[at], b[at]);
    if (found !== true) return found;
  }
  return true;
}

const schemaLists = new WeakSet<readonly unknown[]>();

/** Says that a list comes from an object, as opposed to one that an expression writes. */
export function markOfSchema(list: readonly unknown[]): void {
  schemaLists.add(list);
}

export function isOfSchema(list: readonly unknown[]): boolean {
  return list instanceof SetList || list instanceof KeyedList || schemaLists.has(list);
}

export function keyOf(item: unknown, names: readonly string[]): string {
  const raw = item instanceof ObjectValue ? item.raw : undefined;
  return JSON.stringify(
    names.map((name) => {
      const value = raw ? raw[name] : item instanceof Map ? (item as Map<unknown, unknown>).get(name) : undefined;
      return typeof value === 'bigint' ? `${value}n` : (value ?? null);
    }),
  );
}

function equalKeyed(a: KeyedList, b: readonly unknown[]): boolean | Fault {
  const byKey = new Map(a.map((item) => [keyOf(item, a.keyNames), item]));
  for (const item of b) {
    const key = keyOf(item, a.keyNames);
    if (!byKey.has(key)) return false;
    const found = equal(byKey.get(key), item);
    if (found !== true) return found;
  }
  return true;
}

function equalMaps(a: ReadonlyMap<unknown, unknown>, b: unknown): boolean | Fault {
  if (!(b instanceof Map)) return a instanceof ObjectValue || (a instanceof Entries && a.isOfSchema) ? noSuchOverload() : false;
  if (a instanceof ObjectValue && b instanceof ObjectValue) return equalJson(a.raw as JsonValue, b.raw as JsonValue);
  const [left, right] = [a instanceof ObjectValue ? new Map(a) : a, b instanceof ObjectValue ? new Map(b) : (b as Map<unknown, unknown>)];
  if (left.size !== right.size) return false;
  for (const [key, value] of left) {
    const other = entryOf(right, key);
    if (other === undefined) return false;
    const found = equal(value, other);
    if (found !== true) return found;
  }
  return true;
}

/** The value of a key, numbers by what they stand for; undefined if there is none. */
export function entryOf(map: ReadonlyMap<unknown, unknown>, key: unknown): unknown {
  if (!(key instanceof Uint)) {
    const found = map.get(key);
    if (found !== undefined || typeof key === 'string' || map instanceof Entries) return found;
  }
  if (typeof key === 'number' && Number.isInteger(key)) return entryOf(map, BigInt(key));
  if (typeof key !== 'bigint' && !(key instanceof Uint)) return undefined;
  meter.spend(map.size);
  // Unsigned numbers that are keys are told apart by identity.
  for (const [other, value] of map) if (compareNumbers(other, key) === 0) return value;
  return undefined;
}
