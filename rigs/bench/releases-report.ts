import type {ReleaseCase} from './measure-releases.js';

/** What the newest release may cost a request that uses nothing of it, in CPU over that of the other side. */
const goal = 1.02;

/** The cost of the newest release as a table. */
export function releasesReport(cases: readonly ReleaseCase[]): string {
  const rows = [
    ['work', 'CPU s/1000', 'other', 'times', '95 %', `goal ${goal}`],
    ...cases.map(({work, newest, other, ratio, from, to, failures}) => [
      work,
      newest.toFixed(4),
      other.toFixed(4),
      ratio.toFixed(3),
      `${from.toFixed(3)} to ${to.toFixed(3)}`,
      failures > 0 ? `${failures} failures` : to <= goal ? 'met' : from > goal ? 'missed' : 'not told',
    ]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const table = rows.map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join('  '),
  );
  const {blocks = 0, against = ''} = cases[0] ?? {};
  return [
    `memory: what release 1.36 costs requests for ConfigMaps, in ${blocks} blocks of four rounds; "times" is CPU over that of a server of ${against}`,
    ...table,
  ].join('\n');
}
