import type {Environment} from '@marcbachmann/cel-js';
import {Duration} from '@marcbachmann/cel-js/evaluator';

const sync = {async: false};
const ordered = ['int', 'double', 'string', 'bool', 'google.protobuf.Timestamp', 'google.protobuf.Duration'];

type Comparable = bigint | number | string | boolean | Date | Duration;

/** Kubernetes' list functions: `isSorted`, `sum`, `min`, `max`, `indexOf`, `lastIndexOf`. */
export function addListFunctions(environment: Environment): void {
  for (const type of ordered) {
    environment
      .registerFunction(`list<${type}>.isSorted(): bool`, isSorted, sync)
      .registerFunction(`list<${type}>.min(): ${type}`, (list: Comparable[]) => extreme(list, 'min', (a, b) => a < b), sync)
      .registerFunction(`list<${type}>.max(): ${type}`, (list: Comparable[]) => extreme(list, 'max', (a, b) => a > b), sync);
  }
  environment
    .registerFunction('list<int>.sum(): int', (list: bigint[]) => list.reduce((sum, value) => sum + value, 0n), sync)
    .registerFunction('list<double>.sum(): double', (list: number[]) => list.reduce((sum, value) => sum + value, 0), sync)
    .registerFunction(
      'list<google.protobuf.Duration>.sum(): google.protobuf.Duration',
      (list: Duration[]) => list.reduce((sum, value) => sum.addDuration(value), new Duration(0n)),
      sync,
    )
    .registerFunction(
      'list<A>.indexOf_(A): int',
      (list: unknown[], value: unknown) => BigInt(list.findIndex((entry) => same(entry, value))),
      sync,
    )
    .registerFunction(
      'list<A>.lastIndexOf_(A): int',
      (list: unknown[], value: unknown) => BigInt(list.findLastIndex((entry) => same(entry, value))),
      sync,
    );
}

function isSorted(list: readonly Comparable[]): boolean {
  return list.every((value, position) => position === 0 || !(value < list[position - 1]!));
}

function extreme(list: readonly Comparable[], name: string, isBetter: (a: Comparable, b: Comparable) => boolean): Comparable {
  if (list.length === 0) throw new Error(`${name} called on empty list`);
  return list.reduce((best, value) => (isBetter(value, best) ? value : best));
}

function same(a: unknown, b: unknown): boolean {
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
  if (a instanceof Duration && b instanceof Duration) return a.seconds === b.seconds && a.nanos === b.nanos;
  if (isComparedWhole(a) && isComparedWhole(b)) return a.equals(b);
  return a === b;
}

/** A value that defines its own equality. */
interface ComparedWhole {
  equals(other: unknown): boolean;
}

function isComparedWhole(value: unknown): value is ComparedWhole {
  return typeof value === 'object' && value !== null && 'equals' in value && typeof value.equals === 'function';
}
