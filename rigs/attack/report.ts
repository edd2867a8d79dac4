import type {Bounds} from './run/bounds.js';
import type {Verdict} from './run/verdict.js';

const columns = ['attack', 'p99 ms', 'longest', '/livez', 'RSS MB', 'idle after', 'then MB', 'outcomes'] as const;
const widths = [44, 7, 8, 7, 7, 11, 8, 0];

function row(cells: readonly string[]): string {
  return cells
    .map((cell, column) => (column === 0 || column === 7 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
    .join(' ');
}

/** The heads of the columns and, below, the bounds that hold for each attack. */
export function reportHead(store: string, bounds: Bounds): string {
  const limits = [
    `on ${store}, bounds:`,
    `≤ ${bounds.p99Millis}`,
    '',
    `≤ ${bounds.livezMillis}`,
    `< ${bounds.residentMegabytes}`,
    `≤ ${bounds.idleSeconds} s`,
    `idle+${bounds.idleMegabytes}`,
    'no crash, no error in the log, no 5xx but 502 to 504',
  ];
  return `${row(columns)}\n${row(limits)}`;
}

/** One attack: what was measured, and below it what does not hold. */
export function reportLine({attack, probed, machine, peakMegabytes, recovery, tally, failures, firstAttempt}: Verdict): string {
  const number = (value: number | undefined) => (value === undefined ? '-' : value.toFixed(0));
  const outcomes = Object.entries(tally?.outcomes ?? {}).map(([outcome, count]) => `${outcome}×${count}`);
  const line = row([
    `${failures.length === 0 ? 'ok  ' : 'FAIL'} ${attack}`,
    number(probed?.p99),
    number(probed?.longest),
    number(probed?.livezLongest),
    number(peakMegabytes),
    recovery?.seconds === undefined ? '-' : `${recovery.seconds.toFixed(1)} s`,
    number(recovery?.residentMegabytes),
    outcomes.join(' '),
  ]);
  const notes = [
    ...(machine > 1 ? [`this machine takes ${machine.toFixed(1)} times as long as usual, and so may the times`] : []),
    ...(firstAttempt ? [`the first attempt: ${firstAttempt.join(', ')}`] : []),
  ];
  return [line, ...[...notes, ...failures].map((text) => `       ${text}`)].join('\n');
}
