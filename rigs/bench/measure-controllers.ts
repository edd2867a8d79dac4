import {spawnOrch, type OrchProcess} from '../../test/helpers/orch-process.js';
import {adminTarget} from './bench-users.js';
import {LoadProcess} from './load-process.js';
import {median} from './percentile.js';
import {cpuSeconds} from './process-usage.js';

/** What controllers cost a creation of an object that none of them has anything to do with. */
export interface ControllersCase {
  /** What the server is compared to. */
  readonly without: 'the garbage collector' | 'any controller';
  /** CPU seconds per 1,000 creations, with and without: the middles of the rounds. */
  readonly own: number;
  readonly other: number;
  /** CPU with over that without, in the same round: the middle of the rounds, and the middle half of them. */
  readonly ratio: number;
  readonly lower: number;
  readonly upper: number;
}

const concurrency = 8;
const operations = 2_000;
/** The smallest controller: the setting has to name one. */
const none = '--controllers=service-claims';

/** Creates objects on three servers with the memory store in turn: one with all controllers, one without the garbage collector, one without any. */
export async function measureControllers(quick: boolean, progress: (text: string) => void): Promise<readonly ControllersCase[]> {
  const cleanups: (() => void | Promise<void>)[] = [];
  try {
    const sides: Side[] = [];
    for (const flag of ['--controllers=*', '--controllers=*,-garbagecollector', none]) {
      const server = await spawnOrch({store: 'memory', extra: [flag]});
      cleanups.unshift(() => server.stop().then(() => undefined));
      const load = new LoadProcess();
      cleanups.unshift(() => load.close());
      await load.run({kind: 'connect', targets: [adminTarget(server)], concurrency});
      sides.push({server, load, costs: []});
    }
    const rounds = quick ? 8 : 20;
    // What runs for the first time is compiled in rounds that do not count.
    for (let round = -2; round < rounds; round += 1) {
      progress(`controllers: round ${round + 1} of ${rounds}`);
      // Each goes first in turn.
      for (let turn = 0; turn < sides.length; turn += 1) {
        const side = sides[(turn + round + 3) % sides.length]!;
        const cost = await create(side, round + 2);
        if (round >= 0) side.costs.push(cost);
      }
    }
    const [all, withoutCollector, alone] = sides as [Side, Side, Side];
    return [compared('the garbage collector', all, withoutCollector), compared('any controller', all, alone)];
  } finally {
    for (const cleanup of cleanups) await cleanup();
  }
}

interface Side {
  readonly server: OrchProcess;
  readonly load: LoadProcess;
  readonly costs: number[];
}

async function create({server, load}: Side, round: number): Promise<number> {
  const namespace = `bench-${round}`;
  await load.run({kind: 'namespace', name: namespace});
  const before = cpuSeconds([server.pid]);
  const done = await load.run({kind: 'requests', work: 'create', namespace, count: operations, maxSeconds: 60, objects: operations});
  if (done.failures > 0) throw new Error(done.firstFailure);
  return ((cpuSeconds([server.pid]) - before) * 1_000) / done.operations;
}

function compared(without: ControllersCase['without'], {costs}: Side, {costs: others}: Side): ControllersCase {
  const ratios = costs.map((cost, round) => cost / others[round]!).sort((a, b) => a - b);
  const at = (share: number) => ratios[Math.round((ratios.length - 1) * share)]!;
  return {without, own: median(costs), other: median(others), ratio: median(ratios), lower: at(0.25), upper: at(0.75)};
}
