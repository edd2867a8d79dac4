import type {HooksCase} from './measure-hooks.js';

/** What the hooks may cost while they are off, in CPU over that without them. */
const goal = 1.02;

/** The cost of the hooks as a table. */
export function hooksReport(cases: readonly HooksCase[]): string {
  const rows = [
    ['work', 'CPU s/1000', 'without', 'times', '95 %', `goal ${goal}`],
    ...cases.map(({work, withHooks, without, ratio, from, to, failures}) => [
      work,
      withHooks.toFixed(4),
      without.toFixed(4),
      ratio.toFixed(3),
      `${from.toFixed(3)} to ${to.toFixed(3)}`,
      failures > 0 ? `${failures} failures` : to <= goal ? 'met' : from > goal ? 'missed' : 'not told',
    ]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const table = rows.map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join('  '),
  );
  const blocks = cases[0]?.blocks ?? 0;
  return [
    `memory: what metrics, times of steps, audit and traces cost by default, in ${blocks} blocks of four rounds; "times" is CPU over that of the same server without them`,
    ...table,
  ].join('\n');
}
