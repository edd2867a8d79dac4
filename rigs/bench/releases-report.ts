import type {ReleaseCase} from './measure-releases.js';
import {pairedTable} from './paired-cost.js';

/** What the newest release may cost a request that uses nothing of it, and a build over an earlier one, in CPU over that of the other side. */
const goals = {release: 1.02, build: 1.03};

/** The cost of the newest release as a table. */
export function releasesReport(cases: readonly ReleaseCase[]): string {
  const {blocks = 0, against = '', isBuild = false, pairs = 0} = cases[0] ?? {};
  return [
    `memory: what ${isBuild ? 'this build' : 'release 1.36'} costs requests for ConfigMaps, in ${blocks} blocks of four rounds on ${pairs} pairs of servers; "times" is CPU over that of a server of ${against}`,
    pairedTable(cases, 'other', isBuild ? goals.build : goals.release),
  ].join('\n');
}
