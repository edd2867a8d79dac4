import {meter} from '../cost-meter.js';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  stringType,
  timestampType,
  uintType,
  type CelType,
} from '../types/cel-type.js';
import {equal} from '../values/equality.js';
import {Fault, noSuchOverload} from '../values/fault.js';
import {DurationValue} from '../values/times.js';
import {Uint} from '../values/uint.js';
import {valueType} from '../values/value-type.js';
import {weightOf} from '../weight.js';
import {add} from './arithmetic.js';
import {compare} from './comparison.js';
import {form, functionsOf, method, paramA, type Library, type Overload} from './overload.js';

const summable = [intType, uintType, doubleType, durationType];
export const comparable = [intType, uintType, doubleType, boolType, durationType, timestampType, stringType, bytesType];
const list = listOf(paramA);

const zeros = new Map<CelType, unknown>([
  [intType, 0n],
  [uintType, new Uint(0n)],
  [doubleType, 0],
  [durationType, new DurationValue(0n)],
]);

/** Kubernetes' list functions: `isSorted`, `sum`, `min`, `max`, `indexOf`, `lastIndexOf`. */
export const listLibrary: Library = {
  functions: functionsOf({
    isSorted: comparable.map((type) => method([listOf(type)], boolType, isSorted)),
    sum: summable.map((type) => method([listOf(type)], type, (items: unknown[]) => sumOf(items, zeros.get(type)))),
    max: comparable.map((type) => method([listOf(type)], type, (items: unknown[]) => extreme(items, 'max', -1))),
    min: comparable.map((type) => method([listOf(type)], type, (items: unknown[]) => extreme(items, 'min', 1))),
    indexOf: [
      method([list, paramA], intType, (items: unknown[], item: unknown) => BigInt(items.findIndex((other) => equal(other, item) === true))),
    ],
    lastIndexOf: [
      method([list, paramA], intType, (items: unknown[], item: unknown) =>
        BigInt(items.findLastIndex((other) => equal(other, item) === true)),
      ),
    ],
  }),
};

const byKeys = (name: string): Overload[] => comparable.map((type) => method([list, listOf(type)], list, sortedBy)(name));

/** cel-go's list functions. */
export const extendedListLibrary: Library = {
  feature: 'lists',
  functions: [
    ...functionsOf({
      slice: [method([list, intType, intType], list, slice)],
      'lists.range': [form([intType], listOf(intType), range)],
      reverse: [
        method([list], list, (items: unknown[]) => {
          meter.spend(items.length);
          return Array.from(items).reverse();
        }),
      ],
      distinct: [method([list], list, distinct)],
    }),
    ...functionsOf(
      {
        flatten: [
          method([listOf(list)], list, (items: unknown) => (Array.isArray(items) ? flattened(items, 1n) : noList(items))),
          method([listOf(dynType), intType], listOf(dynType), (items: unknown, depth: bigint) =>
            Array.isArray(items) ? flattened(items, depth) : noList(items, depth),
          ),
        ],
      },
      {isUnguarded: true},
    ),
    ...functionsOf(
      {sort: comparable.map((type) => method([listOf(type)], listOf(type), (items: unknown[]) => sortedBy(items, items)))},
      {kinds: new Set(['list'])},
    ),
    {name: '@sortByAssociatedKeys', overloads: byKeys('@sortByAssociatedKeys'), kinds: new Set(['list'])},
  ],
};

function isSorted(items: readonly unknown[]): boolean | Fault {
  for (let at = 1; at < items.length; at += 1) {
    const order = compare(items[at - 1], items[at]);
    if (order instanceof Fault) continue;
    if (order > 0) return false;
  }
  return true;
}

function sumOf(items: readonly unknown[], zero: unknown): unknown {
  let sum = zero;
  for (const item of items) {
    sum = add(sum, item);
    if (sum instanceof Fault) return sum;
  }
  return sum;
}

/** @param wanted how the best value so far compares to a better one */
function extreme(items: readonly unknown[], name: string, wanted: number): unknown {
  if (items.length === 0) return new Fault(`${name} called on empty list`);
  return items.reduce((best, item) => {
    const order = compare(best, item);
    return order instanceof Fault || Math.sign(order) !== wanted ? best : item;
  });
}

function slice(items: readonly unknown[], start: bigint, end: bigint): unknown[] | Fault {
  const told = `cannot slice(${start}, ${end}), `;
  if (start < 0n || end < 0n) return new Fault(`${told}negative indexes not supported`);
  if (start > end) return new Fault(`${told}start index must be less than or equal to end index`);
  if (BigInt(items.length) < end) return new Fault(`${told}list is length ${items.length}`);
  return Array.from(items).slice(Number(start), Number(end));
}

function noList(items: unknown, depth?: bigint): Fault {
  return new Fault(`no such overload: ${valueType(items).name}.flatten(${depth === undefined ? '' : valueType(depth).name})`);
}

function flattened(items: readonly unknown[], depth: bigint): unknown[] | Fault {
  if (depth < 0n) return new Fault('level must be non-negative');
  meter.spend(items.length);
  const flat: unknown[] = [];
  for (const item of items) {
    if (!Array.isArray(item) || depth === 0n) flat.push(item);
    else for (const inner of flattened(item, depth - 1n) as unknown[]) flat.push(inner);
  }
  return flat;
}

function sortedBy(items: readonly unknown[], keys: readonly unknown[]): unknown {
  if (items.length !== keys.length)
    return new Fault(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${items.length} and ${keys.length} elements respectively`,
    );
  if (items.length === 0) return items === keys ? items : [];
  const [first] = keys;
  const type = valueType(first);
  if (!comparable.includes(type)) return new Fault('list elements must be comparable');
  if (keys.length > 1 && keys.some((key) => valueType(key) !== type)) return new Fault('list elements must have the same type');
  meter.spend(weightOf(keys, meter.left) * (4 + 4 * Math.log2(keys.length + 1)));
  const order = Array.from(keys.keys()).sort((a, b) => {
    const found = compare(keys[a], keys[b]);
    return found instanceof Fault ? 0 : found;
  });
  return order.map((at) => items[at]);
}

function range(count: bigint): bigint[] {
  const items: bigint[] = [];
  for (let at = 0n; at < count; at += 1n) {
    meter.spend(2);
    items.push(at);
  }
  return items;
}

function distinct(items: readonly unknown[]): readonly unknown[] {
  if (items.length === 0) return items;
  const found: unknown[] = [];
  for (const item of items) {
    meter.spend(2 + found.length * 2);
    if (typeof item === 'object') meter.spend(found.length * weightOf(item, meter.left));
    if (!found.some((other) => equal(item, other) === true)) found.push(item);
  }
  return found;
}

/** cel-go's functions of lists as sets. */
export const setLibrary: Library = {
  feature: 'sets',
  functions: functionsOf({
    'sets.contains': [form([list, list], boolType, containsAll)],
    'sets.equivalent': [
      form([list, list], boolType, (a: unknown[], b: unknown[]) => {
        const found = containsAll(a, b);
        return found === true ? containsAll(b, a) : found;
      }),
    ],
    'sets.intersects': [form([list, list], boolType, (a: unknown[], b: unknown[]) => a.some((item) => isIn(item, b) === true))],
  }),
};

function containsAll(items: readonly unknown[], others: readonly unknown[]): boolean | Fault {
  for (const other of others) {
    const found = isIn(other, items);
    if (found !== true) return found;
  }
  return true;
}

/** Whether a list has an item; a fault where one cannot be compared and none of the others is it. */
export function isIn(item: unknown, items: readonly unknown[]): boolean | Fault {
  meter.spend(1 + items.length * (typeof item === 'object' && item !== null ? 2 : 0.5));
  if (typeof item === 'object' && item !== null) meter.spend(weightOf(items, meter.left));
  let fault: Fault | undefined;
  for (const other of items) {
    const found = equal(other, item);
    if (found === true) return true;
    if (found instanceof Fault) fault ??= noSuchOverload();
  }
  return fault ?? false;
}
