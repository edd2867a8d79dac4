import type {ReleaseCase} from './measure-releases.js';
import {pairedTable} from './paired-cost.js';

/** What the newest release may cost a request that uses nothing of it, in CPU over that of the other side. */
const goal = 1.02;

/** The cost of the newest release as a table. */
export function releasesReport(cases: readonly ReleaseCase[]): string {
  const {blocks = 0, against = '', pairs = 0} = cases[0] ?? {};
  return [
    `memory: what release 1.36 costs requests for ConfigMaps, in ${blocks} blocks of four rounds on ${pairs} pairs of servers; "times" is CPU over that of a server of ${against}`,
    pairedTable(cases, 'other', goal),
  ].join('\n');
}
