import {until} from '../../test/helpers/eventually.js';
import {spawnOrch, type OrchProcess} from '../../test/helpers/orch-process.js';
import {adminTarget, permitUsers, userTarget} from './bench-users.js';
import {LoadProcess} from './load-process.js';
import {cpuSeconds} from './process-usage.js';
import type {Measurement} from './work.js';

/** What counting, timing and recording requests costs one kind of work while audit and traces are off, as they are by default. */
export interface HooksCase {
  readonly work: string;
  /** CPU seconds of the server per 1,000 operations, with and without the hooks: of all rounds. */
  readonly withHooks: number;
  readonly without: number;
  /** CPU with them over that without: the middle of the blocks, and the interval in which it is with a probability of 95 %. */
  readonly ratio: number;
  readonly from: number;
  readonly to: number;
  readonly blocks: number;
  readonly failures: number;
}

const objects = 1_000;
const concurrency = 8;
const watchers = 50;
/** While watches are measured: at full speed it would depend on the moment how many events go out with one write. */
const writesPerSecond = 500;
/** The kinds of work, and how many operations one round has. Of a watch, an operation is an event that is delivered. */
const works = [
  {name: 'get', operations: 4_000},
  {name: 'create', operations: 600},
  {name: 'watch event', operations: 100},
] as const;
type Work = (typeof works)[number];

/** One server with the memory store, whose hooks are taken out of the way and put back between short rounds (hook-switch.ts). The caller is a limited user. */
export async function measureHooks(quick: boolean, progress: (text: string) => void = () => undefined): Promise<readonly HooksCase[]> {
  const cleanups: (() => void | Promise<void>)[] = [];
  try {
    const preload = new URL('./hook-switch.js', import.meta.url).href;
    const server = await spawnOrch({store: 'memory', env: {NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=${preload}`}});
    cleanups.unshift(() => server.stop().then(() => undefined));
    await permitUsers(server);
    const load = new LoadProcess();
    cleanups.unshift(() => load.close());
    const target = await userTarget(server, 'limited');
    await load.run({kind: 'connect', targets: [target, adminTarget(server)], concurrency});
    await load.run({kind: 'namespace', name: 'bench'});
    await load.run({kind: 'requests', work: 'create', namespace: 'bench', count: objects, maxSeconds: 60, objects});
    const results: HooksCase[] = [];
    for (const work of works) {
      progress(`hooks: ${work.name}`);
      results.push(await new Comparison(server, load, work).run(quick ? 24 : 100));
    }
    return results;
  } finally {
    for (const cleanup of cleanups) await cleanup();
  }
}

let namespaces = 0;

class Comparison {
  #isOff = false;
  #switched = 0;
  #failures = 0;

  constructor(
    private readonly server: OrchProcess,
    private readonly load: LoadProcess,
    private readonly work: Work,
  ) {}

  /** Blocks of four rounds: with, without, without, with, and the other way round, so that what grows or warms up is on both sides. */
  async run(blocks: number): Promise<HooksCase> {
    this.#switched = switches(this.server);
    if (this.work.name === 'watch event') await this.load.run({kind: 'watchers', namespace: 'bench', count: watchers});
    const ratios: number[] = [];
    const sums = [0, 0];
    // What runs for the first time is compiled in blocks that do not count.
    for (let block = -2; block < blocks; block += 1) {
      const order = block % 2 === 0 ? [0, 1, 1, 0] : [1, 0, 0, 1];
      const costs = [0, 0];
      for (const side of order) costs[side]! += (await this.#round(side === 1)) / 2;
      if (block < 0) continue;
      ratios.push(costs[0]! / costs[1]!);
      for (const side of [0, 1]) sums[side]! += costs[side]! / blocks;
    }
    await this.#switch(false);
    if (this.work.name === 'watch event') await this.load.run({kind: 'watchers', namespace: 'bench', count: 0});
    const [from, to] = medianInterval(ratios);
    const ratio = ratios.toSorted((a, b) => a - b)[Math.floor(blocks / 2)]!;
    return {work: this.work.name, withHooks: sums[0]!, without: sums[1]!, ratio, from, to, blocks, failures: this.#failures};
  }

  async #round(isOff: boolean): Promise<number> {
    await this.#switch(isOff);
    // Objects can be created once.
    const namespace = this.work.name === 'create' ? `bench-${namespaces++}` : 'bench';
    if (this.work.name === 'create') await this.load.run({kind: 'namespace', name: namespace});
    const before = cpuSeconds([this.server.pid]);
    const {operations, failures} = await this.#measure(namespace);
    this.#failures += failures;
    return ((cpuSeconds([this.server.pid]) - before) * 1_000) / operations;
  }

  #measure(namespace: string): Promise<Measurement> {
    const {name, operations} = this.work;
    if (name === 'watch event')
      return this.load.run({kind: 'watch', namespace, writes: operations, rate: writesPerSecond, maxSeconds: 30, objects});
    return this.load.run({kind: 'requests', work: name, namespace, count: operations, maxSeconds: 30, objects});
  }

  async #switch(isOff: boolean): Promise<void> {
    if (isOff === this.#isOff) return;
    this.server.child.kill('SIGUSR2');
    this.#switched += 1;
    await until('the hooks are switched', () => switches(this.server) === this.#switched);
    this.#isOff = isOff;
  }
}

function switches(server: OrchProcess): number {
  return server.logs().match(/^hooks (?:on|off)$/gm)?.length ?? 0;
}

/** The interval in which the median is with a probability of 95 %, whatever the distribution: between two of the values in their order. */
export function medianInterval(values: readonly number[]): readonly [number, number] {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = Math.max(0, Math.floor((sorted.length - 1.96 * Math.sqrt(sorted.length)) / 2));
  return [sorted[rank]!, sorted[sorted.length - 1 - rank]!];
}
