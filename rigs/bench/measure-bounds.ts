import {spawnOrch, type OrchProcess} from '../../test/helpers/orch-process.js';
import {adminTarget, permitUsers, userTarget} from './bench-users.js';
import {LoadProcess} from './load-process.js';
import {median} from './percentile.js';
import {cpuSeconds} from './process-usage.js';
import type {Measurement} from './work.js';

/** What the bounds cost one kind of work. */
export interface BoundsCase {
  readonly work: string;
  readonly user: string;
  /** CPU seconds of the server per 1,000 operations, with and without: the middles of the rounds. */
  readonly bounded: number;
  readonly unbounded: number;
  /** CPU with the bounds over that without, in the same round: the middle of the rounds, and of that the middle of the pairs of servers. */
  readonly ratio: number;
  /** The pairs with the lowest and the highest. */
  readonly range: readonly [number, number];
  readonly failures: number;
}

const objects = 1_000;
const concurrency = 8;
const watchers = 50;
/** While watches are measured: at full speed it would depend on the moment how many events go out with one write. */
const writesPerSecond = 400;
/** What has no bounds: nothing is shared out, nothing in flight is limited, and the other limits are out of reach. */
const open = [
  '--no-enable-priority-and-fairness',
  ...['--max-requests-inflight', '0', '--max-mutating-requests-inflight', '0'],
  ...['--max-connections', '1000000', '--max-connections-per-address', '1000000', '--max-unknown-connections', '1000000'],
  ...['--max-watches', '1000000', '--max-watches-per-user', '1000000', '--max-unfinished-requests', '1000000'],
  ...['--max-unsent-bytes', '1Gi', '--max-unsent-bytes-per-user', '1Gi', '--max-unsent-bytes-per-connection', '1Gi'],
  ...['--max-body-bytes-in-all', '1Gi', '--max-body-bytes-per-user', '1Gi', '--slow-turn', '60s'],
];
/** The kinds of work, and how many operations one round has: many short rounds tell more than a few long ones. Of a watch, an operation is an event that is delivered. */
const works = [
  {name: 'get', operations: 2_000},
  {name: 'create', operations: 500},
  {name: 'list of 500', operations: 100},
  {name: 'watch event', operations: 150},
] as const;
type Work = (typeof works)[number];

/**
 * Does the same work on two servers with the memory store in turn, one with the default bounds and one without, by a limited user and by an administrator. With several
 * pairs of servers: two processes of the same program differ by more than the bounds cost, since each compiles and lays out its code differently.
 */
export async function measureBounds(quick: boolean, progress: (text: string) => void = () => undefined): Promise<readonly BoundsCase[]> {
  const pairs: (readonly BoundsCase[])[] = [];
  const count = quick ? 3 : 7;
  while (pairs.length < count)
    pairs.push(await measurePair(quick ? 4 : 8, (text) => progress(`bounds, ${pairs.length + 1} of ${count}: ${text}`)));
  return pairs[0]!.map(({work, user}, index) => {
    const same = pairs.map((cases) => cases[index]!);
    const ratios = same.map(({ratio}) => ratio);
    return {
      work,
      user,
      bounded: median(same.map(({bounded}) => bounded)),
      unbounded: median(same.map(({unbounded}) => unbounded)),
      ratio: median(ratios),
      range: [Math.min(...ratios), Math.max(...ratios)],
      failures: same.reduce((sum, {failures}) => sum + failures, 0),
    };
  });
}

async function measurePair(rounds: number, progress: (text: string) => void): Promise<readonly BoundsCase[]> {
  const cleanups: (() => void | Promise<void>)[] = [];
  try {
    const sides: Side[] = [];
    for (const flags of [[], open]) {
      progress(`starting ${flags.length === 0 ? 'with' : 'without'}`);
      const server = await spawnOrch({store: 'memory', extra: flags});
      cleanups.unshift(() => server.stop().then(() => undefined));
      await permitUsers(server);
      sides.push(new Side(server, cleanups));
    }
    const results: BoundsCase[] = [];
    for (const user of ['limited', 'system:masters'] as const) {
      for (const side of sides) await side.connect(user);
      for (const work of works) {
        progress(`${work.name}, ${user}`);
        results.push(await compare(work, user, sides, rounds));
      }
    }
    return results;
  } finally {
    for (const cleanup of cleanups) await cleanup();
  }
}

async function compare(work: Work, user: string, sides: readonly Side[], rounds: number): Promise<BoundsCase> {
  const costs: number[][] = [[], []];
  let failures = 0;
  // What runs for the first time is compiled in rounds that do not count.
  for (let round = -3; round < rounds; round += 1) {
    // Each goes first in every second round.
    for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const {cpu, failed} = await sides[index]!.run(work);
      failures += failed;
      if (round >= 0) costs[index]!.push(cpu);
    }
  }
  const [bounded, unbounded] = costs as [number[], number[]];
  const ratio = median(bounded.map((cpu, round) => cpu / unbounded[round]!));
  return {work: work.name, user, bounded: median(bounded), unbounded: median(unbounded), ratio, range: [ratio, ratio], failures};
}

/** One of the two servers, with a client. */
class Side {
  readonly #server: OrchProcess;
  readonly #load = new LoadProcess();
  #namespaces = 0;

  constructor(server: OrchProcess, cleanups: (() => void | Promise<void>)[]) {
    this.#server = server;
    cleanups.unshift(() => this.#load.close());
  }

  async connect(user: 'limited' | 'system:masters'): Promise<void> {
    const target = user === 'limited' ? await userTarget(this.#server, user) : adminTarget(this.#server);
    await this.#load.run({kind: 'connect', targets: [target], concurrency});
    await this.#load.run({kind: 'namespace', name: 'bench'});
    if (user === 'limited')
      await this.#load.run({kind: 'requests', work: 'create', namespace: 'bench', count: objects, maxSeconds: 60, objects});
  }

  async run(work: Work): Promise<{cpu: number; failed: number}> {
    // Objects can be created once.
    const namespace = work.name === 'create' ? `bench-${this.#namespaces++}` : 'bench';
    if (work.name === 'create') await this.#load.run({kind: 'namespace', name: namespace});
    if (work.name === 'watch event') await this.#load.run({kind: 'watchers', namespace, count: watchers});
    const before = cpuSeconds([this.#server.pid]);
    const {operations, failures} = await this.#measure(work, namespace);
    const cpu = ((cpuSeconds([this.#server.pid]) - before) * 1_000) / operations;
    if (work.name === 'watch event') await this.#load.run({kind: 'watchers', namespace, count: 0});
    return {cpu, failed: failures};
  }

  #measure(work: Work, namespace: string): Promise<Measurement> {
    if (work.name === 'watch event')
      return this.#load.run({kind: 'watch', namespace, writes: work.operations, rate: writesPerSecond, maxSeconds: 30, objects});
    return this.#load.run({kind: 'requests', work: work.name, namespace, count: work.operations, maxSeconds: 30, objects});
  }
}
