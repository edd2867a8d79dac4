import {tableMarkdown, tableText} from '../bench/table-text.js';
import type {Growth, GrowthCurve, Value} from './growth.js';

/** By how much what should stay the same may differ: more is no noise of a machine with other work. */
const toleratedTimes = 1.5;

/** What a curve came to at its last point, over the least before it: what runs for the first time is still compiled at the first. */
export function growthOf({micros}: Pick<GrowthCurve, 'micros'>): number {
  const known = micros.filter((value) => value !== undefined);
  return known.at(-1)! / Math.min(...known.slice(0, -1));
}

/** Whether it takes more though it should not. */
export function isFault(curve: Pick<GrowthCurve, 'micros' | 'mayGrow'>): boolean {
  return curve.mayGrow !== true && growthOf(curve) > toleratedTimes;
}

/** A table for each way to grow: microseconds of the processor and p99 at each number, and memory. */
export function growthReport(growths: readonly Growth[]): string {
  return growths
    .map(({name, points, curves, memory}) =>
      tableText([
        [name, ...points.map(numeral), 'times', ''],
        ...curves.flatMap((curve) => [
          [`${curve.name}, µs`, ...curve.micros.map(figure), growthOf(curve).toFixed(2), isFault(curve) ? 'grows' : ''],
          ...(curve.p99.some((value) => value !== undefined) ? [['  p99 ms', ...curve.p99.map(figure), '', '']] : []),
        ]),
        ['memory, MB', ...memory.map(figure), '', ''],
      ]),
    )
    .join('\n\n');
}

/** The same without p99, as a table of Markdown for each way to grow, by its name. */
export function growthMarkdown(growths: readonly Growth[]): ReadonlyMap<string, string> {
  return new Map(
    growths.map(({name, points, curves, memory}) => [
      name,
      tableMarkdown([
        [`µs by ${name}`, ...points.map(numeral)],
        ...curves.map((curve) => [curve.name, ...curve.micros.map(figure)]),
        ['memory, MB', ...memory.map(figure)],
      ]),
    ]),
  );
}

const numeral = (point: number) => point.toLocaleString('en');

function figure(value: Value): string {
  if (value === undefined) return '';
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value.toFixed(value >= 10 ? 1 : 2);
}
