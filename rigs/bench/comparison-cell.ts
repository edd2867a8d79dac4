import type {Turn} from './comparison-side.js';
import type {ComparisonGoal} from './comparison-rows.js';
import {median} from './percentile.js';

/** What the turns of a row say of one server. */
export interface ComparisonCell {
  /** Seconds of the processor for 1,000 operations: the middle of the turns, and half of the difference between the dearest and the cheapest, as a part of it. */
  readonly cpu: number;
  readonly spread: number;
  /** Over that of the floor in the same turn: the middle; undefined where the floor has no part. */
  readonly timesFloor: number | undefined;
  readonly rate: number;
  /** Milliseconds: the middle. */
  readonly p99: number;
  readonly failures: number;
  readonly firstFailure: string | undefined;
}

/** @param bare the turns of the floor. @throws Error for no turns */
export function cellOf(turns: readonly Turn[], bare: readonly Turn[] | undefined): ComparisonCell {
  if (turns.length === 0) throw new Error('nothing has been measured');
  const costs = turns.map(({cpu}) => cpu);
  const cpu = median(costs);
  return {
    cpu,
    spread: (Math.max(...costs) - Math.min(...costs)) / 2 / cpu,
    timesFloor: bare && median(costs.map((cost, turn) => cost / bare[turn]!.cpu)),
    rate: median(turns.map(({rate}) => rate)),
    p99: median(turns.map(({p99}) => p99)),
    failures: turns.reduce((sum, {failures}) => sum + failures, 0),
    firstFailure: turns.find(({firstFailure}) => firstFailure !== undefined)?.firstFailure,
  };
}

/**
 * How far a server is from a goal: what it takes over what it may take. Above 1 the goal is missed; undefined where what it is measured by is not there.
 *
 * @param rows cells of the same server by the names of rows
 */
export function shareOfGoal(cell: ComparisonCell, goal: ComparisonGoal, rows: ReadonlyMap<string, ComparisonCell>): number | undefined {
  if ('cpu' in goal) return cell.cpu / goal.cpu;
  if (goal.of === 'floor') return cell.timesFloor === undefined ? undefined : cell.timesFloor / goal.times;
  const other = rows.get(goal.of);
  return other && cell.cpu / other.cpu / goal.times;
}
