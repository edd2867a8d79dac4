import {shareOfGoal, type ComparisonCell} from './comparison-cell.js';
import type {ComparisonGoal} from './comparison-rows.js';
import type {ComparisonMemory, ComparisonResult, ComparisonResultRow} from './measure-comparison.js';
import {tableText} from './table-text.js';

/** A number with about three digits that count. */
export function figure(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en-GB');
  if (value >= 10) return value.toFixed(1);
  return value.toFixed(value >= 1 ? 2 : value >= 0.1 ? 3 : 4);
}

/** Tables of processor time, goals and latency: a row for each kind of work, a column for each server. */
export function comparisonReport({subjects, turns, rows, memory, profiles}: ComparisonResult): string {
  const cells = (show: (cell: ComparisonCell) => string) =>
    rows.map((row) => [row.name, ...row.cells.map((cell) => (cell ? show(cell) : ''))]);
  const cpu = [
    [`CPU s/1000, ${turns} turns`, ...subjects],
    ...cells(({cpu: value, spread, timesFloor}) =>
      [figure(value), `±${(spread * 100).toFixed(0)} %`, ...(timesFloor === undefined ? [] : [`×${timesFloor.toFixed(1)}`])].join(' '),
    ),
  ];
  const p99 = [['p99 ms', ...subjects], ...cells((cell) => figure(cell.p99))];
  const resident = [['resident MB', ...subjects], ...memoryRows(memory)];
  const failed = rows.flatMap(({name, cells: all}) =>
    all.flatMap((cell, place) =>
      cell && cell.failures > 0 ? [`  ${subjects[place]}: ${name}: ${cell.failures} failures, first: ${cell.firstFailure}`] : [],
    ),
  );
  return [
    tableText(cpu),
    ...goalTable(subjects, rows),
    tableText(p99),
    tableText(resident),
    ...(failed.length > 0 ? [failed.join('\n')] : []),
    ...(profiles.length > 0 ? [`profiles: ${profiles.join(', ')}`] : []),
  ].join('\n\n');
}

export function memoryRows(memory: readonly ComparisonMemory[]): string[][] {
  const rows: readonly (readonly [name: string, values: readonly (number | undefined)[]])[] = [
    ['idle', memory.map(({idle}) => idle)],
    ['with the objects', memory.map(({filled}) => filled)],
    ['after all rows', memory.map(({loaded}) => loaded)],
    ['a minute later', memory.map(({rested}) => rested)],
  ];
  return rows
    .filter(([, values]) => values.some((value) => value !== undefined))
    .map(([name, values]) => [name, ...values.map((value) => (value === undefined ? '' : figure(value)))]);
}

function goalText(goal: ComparisonGoal): string {
  return 'cpu' in goal ? `${goal.cpu} CPU s` : `${goal.times} × ${goal.of}`;
}

/** What each server takes over what it may take. */
function goalTable(subjects: readonly string[], rows: readonly ComparisonResultRow[]): string[] {
  const withGoals = rows.filter(({goal}) => goal);
  if (withGoals.length === 0) return [];
  const bySubject = subjects.map(
    (_, place) => new Map(rows.flatMap(({name, cells}) => (cells[place] ? [[name, cells[place]] as const] : []))),
  );
  const lines = withGoals.map(({name, goal, cells}) => [
    name,
    goalText(goal!),
    ...cells.slice(1).map((cell, place) => {
      const share = cell && shareOfGoal(cell, goal!, bySubject[place + 1]!);
      return share === undefined ? '' : share <= 1 ? 'met' : `${share.toFixed(2)} of it`;
    }),
  ]);
  return [tableText([['goal', '', ...subjects.slice(1)], ...lines])];
}
