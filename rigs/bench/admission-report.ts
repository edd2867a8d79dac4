import type {AdmissionResult} from './measure-admission.js';

/** The figures of admission as a table. */
export function admissionReport({subject, cases}: AdmissionResult): string {
  const rows = [
    ['created', 'CPU s/1000', 'times', 'per second', 'p50 ms', 'p99 ms', ''],
    ...cases.map(({name, cpu, ratio, rate, p50, p99, failures}) => [
      name,
      cpu.toFixed(3),
      ratio === undefined ? '' : ratio.toFixed(2),
      rate.toFixed(0),
      p50.toFixed(2),
      p99.toFixed(2),
      failures > 0 ? `${failures} failures` : '',
    ]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const table = rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join('  ')
      .trimEnd(),
  );
  return [`${subject}: creates while somebody has a say; "times" is CPU over that of the same objects without`, ...table].join('\n');
}
