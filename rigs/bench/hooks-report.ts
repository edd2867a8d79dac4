import {pairedTable, type PairedRow} from './paired-cost.js';

/** What the hooks may cost while they are off, in CPU over that without them. */
const goal = 1.02;

/** The cost of the hooks as a table. */
export function hooksReport(cases: readonly PairedRow[]): string {
  const blocks = cases[0]?.blocks ?? 0;
  return [
    `memory: what metrics, times of steps, audit and traces cost by default, in ${blocks} blocks of four rounds; "times" is CPU over that of the same server without them`,
    pairedTable(cases, 'without', goal),
  ].join('\n');
}
