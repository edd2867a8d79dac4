import type {Yielding} from './load-process.js';
import type {FairnessResult} from './measure-fairness.js';

/** How many times slower another user's p99 may become. */
const goal = 3;

const forms: Readonly<Record<Yielding, string>> = {
  idle: 'Its client runs only when server and measured client leave a processor, as if it were on another machine;',
  nice: 'Its client has a lower weight than server and measured client (with `chrt` it would run only when they leave a processor);',
};

/** The figures of fairness as a table. */
export function fairnessReport({subject, connections, yielding, cases}: FairnessResult): string {
  const rows = [
    [
      'load',
      'other user',
      'alone p50',
      'p99 ms',
      'beside p50',
      'p99 ms',
      'grows',
      `goal ${goal}`,
      'crowded p99',
      'grows',
      'load/s',
      'p50 ms',
    ],
    ...cases.map(({load, work, alone, beside, crowded, loadRate, loadP50, failures}) => [
      load,
      work,
      alone.p50.toFixed(2),
      alone.p99.toFixed(2),
      beside.p50.toFixed(2),
      beside.p99.toFixed(2),
      `${beside.slower.toFixed(1)} times`,
      failures > 0 ? `${failures} failures` : beside.slower < goal ? 'met' : 'missed',
      crowded?.p99.toFixed(2) ?? '',
      crowded ? `${crowded.slower.toFixed(1)} times` : '',
      loadRate.toFixed(0),
      loadP50.toFixed(2),
    ]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const table = rows.map((row) =>
    row.map((cell, column) => (column < 2 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join('  '),
  );
  return [
    `${subject}: one user's requests, one at a time, beside another user's ${connections} connections at full speed`,
    `${forms[yielding]} crowded: it competes with them for the processors.`,
    ...table,
  ].join('\n');
}
