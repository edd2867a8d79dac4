import type {CollectionResult} from './measure-gc.js';
import {tableText} from './table-text.js';

/** Goals for 50,000 dependents. */
const goals = {seconds: 30, stallMillis: 50};

/** The figures of garbage collection as a table. */
export function gcReport({subject, dependents, idle, cases}: CollectionResult): string {
  const table = tableText([
    [
      'deletion',
      'time s',
      `goal ${goals.seconds}`,
      'CPU s',
      'longest turn ms',
      'longest CPU ms',
      'get p50 ms',
      'p99 ms',
      'longest ms',
      `goal ${goals.stallMillis}`,
    ],
    ...cases.map(({policy, seconds, cpu, longestTurn, probed: {p50, p99, max = 0, failures}}) => [
      policy,
      seconds.toFixed(1),
      (seconds * 50_000) / dependents < goals.seconds ? 'met' : 'missed',
      cpu.toFixed(1),
      longestTurn.millis.toFixed(1),
      longestTurn.processorMillis.toFixed(1),
      p50.toFixed(1),
      p99.toFixed(1),
      max.toFixed(1),
      failures > 0 ? `${failures} failures` : max <= goals.stallMillis ? 'met' : 'missed',
    ]),
  ]);
  const alone = `p50 ${idle.p50.toFixed(1)} ms, p99 ${idle.p99.toFixed(1)} ms, longest ${(idle.max ?? 0).toFixed(1)} ms`;
  return `${subject}: ${dependents} dependents of one owner, and the requests of others meanwhile; alone these take ${alone}\n${table}`;
}
