import {tableText} from '../bench/table-text.js';
import type {Growth, GrowthCurve} from './measure-growth.js';

/** By how much what should stay the same may differ: more is no noise of a machine with other work. */
const toleratedTimes = 1.5;

/** What a curve came to at its last point, over the least before it: what runs for the first time is still compiled at the first. */
export function growthOf({micros}: Pick<GrowthCurve, 'micros'>): number {
  return micros.at(-1)! / Math.min(...micros.slice(0, -1));
}

/** Whether it takes more though it should not. */
export function isFault(curve: Pick<GrowthCurve, 'micros' | 'mayGrow'>): boolean {
  return curve.mayGrow !== true && growthOf(curve) > toleratedTimes;
}

/** A table for each way to grow: microseconds of the processor and p99 at each number. */
export function growthReport(growths: readonly Growth[]): string {
  return growths
    .map(({name, points, curves}) =>
      tableText([
        [name, ...points.map((point) => point.toLocaleString('en')), 'times', ''],
        ...curves.flatMap((curve) => [
          [`${curve.name}, µs`, ...curve.micros.map(figure), growthOf(curve).toFixed(2), isFault(curve) ? 'grows' : ''],
          ['  p99 ms', ...curve.p99.map(figure), '', ''],
        ]),
      ]),
    )
    .join('\n\n');
}

function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2);
}
