import type {SubjectResult, WorkResult} from './measure.js';
import {referenceFootprint, references} from './reference.js';
import {tableText} from './table-text.js';
import type {WorkName} from './work.js';

/** Which work of the floor server a kind of work is compared with; paging has none. */
function floorWork(work: WorkName): WorkName | undefined {
  switch (work) {
    case 'get':
    case 'get at version 0':
      return 'get';
    case 'list of 500':
    case 'list of 500, gzip':
    case 'list by label':
      return 'list of 500';
    case 'create':
    case 'update':
    case 'merge patch':
    case 'apply':
    case 'delete':
      return 'create';
    case 'watch, bounded rate':
    case 'watch, full speed':
    case 'watch, 1,000 watchers':
      return work;
    case 'watch, filtered':
      return 'watch, full speed';
    case 'paging by 500':
      return undefined;
  }
}

/** A number with about three digits that count. */
function figure(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en-GB');
  if (value >= 10) return value.toFixed(1);
  if (value >= 0.1) return value.toFixed(2);
  return value.toFixed(4);
}

/** Whether the goals of a kind of work are met: `met`, or which is not; nothing where there is none. */
function verdict(result: WorkResult): string {
  const {goalCpu, goalP99Millis} = references[result.work];
  if (goalCpu === undefined && goalP99Millis === undefined) return '';
  const missed = [
    ...(goalCpu !== undefined && result.cpu > goalCpu ? ['CPU'] : []),
    ...(goalP99Millis !== undefined && result.p99 > goalP99Millis ? ['p99'] : []),
  ];
  return missed.length === 0 ? 'met' : `${missed.join(', ')} missed`;
}

/** What a subject is compared with. */
export interface Peers {
  readonly floor: SubjectResult | undefined;
  /** kube-apiserver, if it was measured in the same run. */
  readonly peer: SubjectResult | undefined;
}

function workRow(result: WorkResult, {floor, peer}: Peers): string[] {
  const {goalCpu, goalP99Millis, established} = references[result.work];
  const name = floorWork(result.work);
  const bare = floor?.works.find((work) => work.work === name);
  const other = peer ? peer.works.find((work) => work.work === result.work) : established;
  return [
    result.work,
    figure(result.rate),
    figure(result.p50),
    figure(result.p99),
    figure(result.cpu),
    result.spread === undefined ? '' : `± ${figure(result.spread)}`,
    result.cold === undefined ? '' : figure(result.cold),
    goalCpu === undefined ? (goalP99Millis === undefined ? '' : `p99 ${goalP99Millis} ms`) : figure(goalCpu),
    verdict(result),
    other ? `${figure(other.rate)} · ${figure(other.cpu)}` : '',
    bare ? `${figure(bare.rate)} · ${figure(bare.cpu)}` : '',
    bare && bare.cpu > 0 ? `${(result.cpu / bare.cpu).toFixed(1)}` : '',
  ];
}

/** The figures of a subject as text: a heading with start-up and memory, and a table of all work. */
export function subjectReport(result: SubjectResult, peers: Peers): string {
  const {starts, memory} = result;
  const about = [
    starts &&
      `start ${starts.first.toFixed(2)} s first, ${starts.again.toFixed(2)} s again (goal ${referenceFootprint.goalStartSeconds}, established ${referenceFootprint.establishedStartSeconds})`,
    `memory ${memory.idle.toFixed(0)} MB idle, ${memory.loaded.toFixed(0)} MB after, ${memory.peak.toFixed(0)} MB at most` +
      (memory.redis === undefined ? '' : `, Redis ${memory.redis.toFixed(0)} MB`) +
      ` (established ${referenceFootprint.establishedIdleMegabytes} idle, ${referenceFootprint.establishedLoadedMegabytes} loaded)`,
  ].filter(Boolean);
  const rows =
    result.subject === 'floor' || result === peers.peer
      ? [
          ['work', 'per s', 'p50 ms', 'p99 ms', 'CPU'],
          ...result.works.map((work) => [work.work, figure(work.rate), figure(work.p50), figure(work.p99), figure(work.cpu)]),
        ]
      : [
          [
            'work',
            'per s',
            'p50 ms',
            'p99 ms',
            'CPU',
            '',
            'first 500',
            'goal',
            '',
            peers.peer ? 'kube-apiserver' : 'established',
            'floor',
            '× floor CPU',
          ],
          ...result.works.map((work) => workRow(work, peers)),
        ];
  const failures = result.works
    .filter((work) => work.failures > 0)
    .map((work) => `  ${work.work}: ${work.failures} failures, first: ${work.firstFailure}`);
  return [`${result.subject}: ${about.join('; ')}`, tableText(rows), ...failures].join('\n');
}
