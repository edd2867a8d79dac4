import type {BoundsCase} from './measure-bounds.js';

/** What the bounds may cost, in CPU over that without. */
const goal = 1.05;

/** The cost of the bounds as a table. */
export function boundsReport(cases: readonly BoundsCase[]): string {
  const rows = [
    ['work', 'user', 'CPU s/1000', 'without', 'times', 'pairs of servers', `goal ${goal}`],
    ...cases.map(({work, user, bounded, unbounded, ratio, range, failures}) => [
      work,
      user,
      bounded.toFixed(4),
      unbounded.toFixed(4),
      ratio.toFixed(3),
      range.map((bound) => bound.toFixed(3)).join(' to '),
      failures > 0 ? `${failures} failures` : ratio < goal ? 'met' : 'missed',
    ]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const table = rows.map((row) =>
    row.map((cell, column) => (column < 2 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join('  '),
  );
  return [
    'memory: what the bounds cost; "times" is CPU over that of a server without them, in the same round: the middle of several pairs of servers',
    ...table,
  ].join('\n');
}
