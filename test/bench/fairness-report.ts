import type {FairnessResult} from './measure-fairness.js';

/** How many times slower another user's p99 may become. */
const goal = 3;

/** The figures of fairness as a table. */
export function fairnessReport({subject, connections, cases}: FairnessResult): string {
  const rows = [
    ['load', 'other user', 'alone p50', 'p99 ms', 'beside p50', 'p99 ms', 'p99 grows', `goal ${goal}`, 'load/s', 'p50 ms'],
    ...cases.map(({load, work, alone, beside, slower, loadRate, loadP50, failures}) => [
      load,
      work,
      alone.p50.toFixed(2),
      alone.p99.toFixed(2),
      beside.p50.toFixed(2),
      beside.p99.toFixed(2),
      `${slower.toFixed(1)} times`,
      failures > 0 ? `${failures} failures` : slower < goal ? 'met' : 'missed',
      loadRate.toFixed(0),
      loadP50.toFixed(2),
    ]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const table = rows.map((row) =>
    row.map((cell, column) => (column < 2 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join('  '),
  );
  return [`${subject}: one user's requests, one at a time, beside another user's ${connections} connections at full speed`, ...table].join(
    '\n',
  );
}
