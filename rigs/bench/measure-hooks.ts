import {until} from '../../test/helpers/eventually.js';
import {spawnOrch, type OrchProcess} from '../../test/helpers/orch-process.js';
import {adminTarget, permitUsers, userTarget} from './bench-users.js';
import {LoadProcess} from './load-process.js';
import {cpuSeconds} from './process-usage.js';
import {pairedCost, type PairedRow} from './paired-cost.js';
import type {Measurement} from './work.js';

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

/**
 * What counting, timing and recording requests costs each kind of work while audit and traces are off, as they are by default. One server with the memory store, whose hooks are taken out of the way and put back between short rounds (hook-switch.ts). The caller is
 * a limited user.
 */
export async function measureHooks(quick: boolean, progress: (text: string) => void = () => undefined): Promise<readonly PairedRow[]> {
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
    const results: PairedRow[] = [];
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

  /** With the hooks, and without. */
  async run(blocks: number): Promise<PairedRow> {
    this.#switched = switches(this.server);
    if (this.work.name === 'watch event') await this.load.run({kind: 'watchers', namespace: 'bench', count: watchers});
    const cost = await pairedCost(blocks, 2, (side) => this.#round(side === 1));
    await this.#switch(false);
    if (this.work.name === 'watch event') await this.load.run({kind: 'watchers', namespace: 'bench', count: 0});
    return {...cost, work: this.work.name, failures: this.#failures};
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
