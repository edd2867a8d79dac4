import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {setTimeout as sleep} from 'node:timers/promises';
import {spawnOrch, type OrchProcess} from '../../test/helpers/orch-process.js';
import {LoadProcess} from './load-process.js';
import {median} from './percentile.js';
import {cpuSeconds, mainThreadSeconds} from './process-usage.js';
import type {RequestJob} from './work.js';

type RequestWork = RequestJob['work'];

/** One kind of work, by a server of one process and by one of two. CPU is in microseconds per operation. */
export interface WorkersCase {
  readonly work: RequestWork;
  /** Of the thread of the server of one process that does the work; others of it (collecting garbage) could use the second core. */
  readonly one: number;
  /** The same of the busier worker of two. */
  readonly worker: number;
  /** Of all threads of all processes of the server of two. */
  readonly all: number;
  /** How many times the operations of one process two workers do in the same time on two cores that are theirs: the middle of the rounds. */
  readonly gain: number;
  /** The same if one process could not use the second core at all, not even for collecting garbage: what it costs to have two. */
  readonly gainByCpu: number;
  readonly failures: number;
}

export interface WorkersResult {
  readonly cases: readonly WorkersCase[];
  /** Memory that no other process has, in MiB, of an idle server: one process; then the supervisor, the store process and each worker. */
  readonly memory: {readonly one: number; readonly supervisor: number; readonly store: number; readonly workers: readonly number[]};
}

const namespace = 'bench';
/** Connections to each process that answers requests: as busy, it does as much in one turn of its loop. */
const concurrency = 16;
const works: readonly RequestWork[] = ['get', 'get at version 0', 'list of 500', 'list by label', 'update'];
/** Operations of a round for each process: about as much work for each kind. */
const counts: Partial<Record<RequestWork, number>> = {
  get: 6000,
  'get at version 0': 6000,
  'list of 500': 100,
  'list by label': 400,
  update: 1000,
};

/** The processes that a process has started, oldest first. */
function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

function ownMegabytes(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kibibytes = [...text.matchAll(/^Private_(?:Clean|Dirty): +(\d+) kB$/gm)].reduce((sum, [, amount]) => sum + Number(amount), 0);
  return kibibytes / 1024;
}

/** Processor time: of the main thread, and of all threads. */
interface Cost {
  readonly main: number;
  readonly all: number;
}

function usage(pid: number): Cost {
  return {main: mainThreadSeconds(pid), all: cpuSeconds([pid])};
}

/** All share one core in turn, so that requests wait for each process as they do where the clients are elsewhere. */
function onOneCore(pid: number): void {
  execFileSync('taskset', ['-a', '-c', '-p', '0', String(pid)], {stdio: 'ignore'});
}

/**
 * Compares a server of one process with one of two workers, both on the embedded store. The client shares the machine with them, so what counts is the
 * processor time of each process: as many operations as fit in a second of the busiest core.
 */
export async function measureWorkers(quick: boolean, progress: (text: string) => void): Promise<WorkersResult> {
  const cleanups: (() => unknown)[] = [];
  try {
    progress('workers: starting');
    const servers: OrchProcess[] = [];
    for (const extra of [[], ['--workers', '2']]) {
      const server = await spawnOrch({extra});
      cleanups.unshift(() => server.stop());
      servers.push(server);
    }
    const [one, two] = servers as [OrchProcess, OrchProcess];
    // What the start has left over is collected once nobody has asked for anything for some seconds.
    await sleep(10_000);
    const [storePid = 0, ...workerPids] = childrenOf(two.pid);
    const memory = {
      one: ownMegabytes(one.pid),
      supervisor: ownMegabytes(two.pid),
      store: ownMegabytes(storePid),
      workers: workerPids.map(ownMegabytes),
    };
    const loads = await Promise.all(
      servers.map(async ({url, ca, cert, key}, index) => {
        const load = new LoadProcess();
        cleanups.unshift(() => load.close());
        onOneCore(load.pid);
        await load.run({kind: 'connect', targets: [{url, ca, cert, key}], concurrency: concurrency * (index + 1)});
        await load.run({kind: 'namespace', name: namespace});
        await load.run({kind: 'requests', work: 'create', namespace, count: 1000, maxSeconds: 60, objects: 1000});
        return load;
      }),
    );
    for (const pid of [one.pid, two.pid, storePid, ...workerPids]) onOneCore(pid);
    const cases: WorkersCase[] = [];
    for (const work of works) {
      progress(`workers: ${work}`);
      const rounds: Omit<WorkersCase, 'work' | 'failures'>[] = [];
      let failures = 0;
      // The first rounds warm up: each process compiles what it runs often.
      const warmUp = 3;
      for (let round = 0; round < (quick ? 7 : 15); round++) {
        const costs: Cost[][] = [];
        for (const [index, load] of loads.entries()) {
          const pids = index === 0 ? [one.pid] : [...workerPids, storePid, two.pid];
          const before = pids.map(usage);
          const done = await load.run({
            kind: 'requests',
            work,
            namespace,
            count: counts[work]! * (index + 1),
            maxSeconds: 60,
            objects: 1000,
          });
          failures += done.failures;
          const cost = (used: number, from: number) => ((used - from) * 1e6) / done.operations;
          costs.push(
            pids.map((pid, at) => {
              const now = usage(pid);
              return {main: cost(now.main, before[at]!.main), all: cost(now.all, before[at]!.all)};
            }),
          );
        }
        if (round < warmUp) continue;
        const [single, many] = costs as [Cost[], Cost[]];
        const worker = Math.max(...many.slice(0, workerPids.length).map(({main}) => main));
        const all = many.reduce((sum, cost) => sum + cost.all, 0);
        const {main, all: whole} = single[0]!;
        rounds.push({one: main, worker, all, gain: main / Math.max(worker, all / 2), gainByCpu: (2 * whole) / all});
      }
      const middle = (member: keyof (typeof rounds)[number]) => median(rounds.map((round) => round[member]));
      cases.push({
        work,
        one: middle('one'),
        worker: middle('worker'),
        all: middle('all'),
        gain: middle('gain'),
        gainByCpu: middle('gainByCpu'),
        failures,
      });
    }
    return {cases, memory};
  } finally {
    for (const cleanup of cleanups) await cleanup();
  }
}
