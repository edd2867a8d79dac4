import {median} from './percentile.js';
import {tableText} from './table-text.js';

/** What a kind of work costs on one side over the other. */
export interface PairedCost {
  /** CPU seconds of the server per 1,000 operations, on each side: of all rounds. */
  readonly one: number;
  readonly other: number;
  /** CPU on the one side over that on the other: the middle of the blocks, and the interval in which it is with a probability of 95 %. */
  readonly ratio: number;
  readonly from: number;
  readonly to: number;
  readonly blocks: number;
}

/** A cost for a table. */
export interface PairedRow extends PairedCost {
  readonly work: string;
  readonly failures: number;
}

/**
 * Measures in blocks of four rounds: the one, the other, the other, the one, and the other way round, so that what grows or warms up is on both sides.
 *
 * @param uncounted blocks before those that count, in which what runs for the first time is compiled; an even number
 * @param round does one round on a side, 0 or 1, and answers its CPU seconds per 1,000 operations
 */
export async function pairedCost(blocks: number, uncounted: number, round: (side: 0 | 1) => Promise<number>): Promise<PairedCost> {
  const ratios: number[] = [];
  let [one, other] = [0, 0];
  for (let block = -uncounted; block < blocks; block += 1) {
    const costs: [number, number] = [0, 0];
    for (const side of block % 2 === 0 ? ([0, 1, 1, 0] as const) : ([1, 0, 0, 1] as const)) costs[side] += (await round(side)) / 2;
    if (block < 0) continue;
    ratios.push(costs[0] / costs[1]);
    one += costs[0] / blocks;
    other += costs[1] / blocks;
  }
  return {one, other, ...middleOf(ratios), blocks};
}

/**
 * One cost of those of several pairs of servers. What a server costs depends by some per cent on how its memory lies and what was compiled when, as long as it lives: that is
 * seen between pairs, and in none of them.
 */
export function overPairs(costs: readonly PairedCost[]): PairedCost {
  const mean = (of: (cost: PairedCost) => number) => costs.reduce((sum, cost) => sum + of(cost), 0) / costs.length;
  const blocks = costs.reduce((sum, cost) => sum + cost.blocks, 0);
  return {one: mean(({one}) => one), other: mean(({other}) => other), ...middleOf(costs.map(({ratio}) => ratio)), blocks};
}

function middleOf(ratios: readonly number[]): Pick<PairedCost, 'ratio' | 'from' | 'to'> {
  const [from, to] = medianInterval(ratios);
  return {ratio: median(ratios), from, to};
}

/** The interval in which the median is with a probability of 95 %, whatever the distribution: between two of the values in their order. */
function medianInterval(values: readonly number[]): readonly [number, number] {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = Math.max(0, Math.floor((sorted.length - 1.96 * Math.sqrt(sorted.length)) / 2));
  return [sorted[rank]!, sorted[sorted.length - 1 - rank]!];
}

/** @param other heading of the other side. @param goal the ratio that may be reached */
export function pairedTable(rows: readonly PairedRow[], other: string, goal: number): string {
  return tableText([
    ['work', 'CPU s/1000', other, 'times', '95 %', `goal ${goal}`],
    ...rows.map(({work, one, other: costOfOther, ratio, from, to, failures}) => [
      work,
      one.toFixed(4),
      costOfOther.toFixed(4),
      ratio.toFixed(3),
      `${from.toFixed(3)} to ${to.toFixed(3)}`,
      failures > 0 ? `${failures} failures` : to <= goal ? 'met' : from > goal ? 'missed' : 'not told',
    ]),
  ]);
}
