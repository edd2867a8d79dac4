import type {AuditResult} from './measure-audit.js';

/** The figures of the audit log as a table. */
export function auditReport({cases, whole, hanging}: AuditResult): string {
  const rows = [
    ['updated', 'CPU s/1000', 'times', 'per second', 'p50 ms', 'p99 ms'],
    ...cases.map(({name, cpu, ratio, rate, p50, p99}) => [
      name,
      cpu.toFixed(3),
      ratio.toFixed(2),
      rate.toFixed(0),
      p50.toFixed(2),
      p99.toFixed(2),
    ]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const table = rows.map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join('  '),
  );
  return [
    'memory: updates while they are recorded in a file; "times" is CPU over that without audit',
    ...table,
    `${whole.requests} requests at RequestResponse: ${whole.events} events, ${whole.missing} missing, ${whole.outOfOrder} out of the order of their object, ${whole.megabytes.toFixed(0)} MB`,
    `a service in batches that hangs: ${hanging.events} events, ${hanging.arrived} arrived, ${hanging.lost} counted as lost (the settings keep ${hanging.kept}), ${hanging.events - hanging.arrived - hanging.lost} neither; p99 of updates ${hanging.hanging.p99.toFixed(1)} ms meanwhile, ${hanging.working.p99.toFixed(1)} before`,
  ].join('\n');
}
