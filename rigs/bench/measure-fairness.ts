import type {ExecutionContext} from 'ava';
import {setTimeout as sleep} from 'node:timers/promises';
import {spawnOrch} from '../../test/helpers/orch-process.js';
import {startRedis} from '../../test/helpers/redis-server.js';
import {adminTarget, permitUsers, userTarget} from './bench-users.js';
import {LoadProcess, type Yielding} from './load-process.js';
import type {BenchOptions, SubjectName} from './options.js';
import {median} from './percentile.js';
import type {Measurement, RequestJob} from './work.js';

type Work = RequestJob['work'];

/** Times in milliseconds while another user sends as fast as the server answers. */
export interface Beside {
  readonly p50: number;
  readonly p99: number;
  /** How many times the p99 grows: the middle of the rounds. */
  readonly slower: number;
}

/** One user's requests alone, and beside another user who sends as fast as the server answers. */
export interface FairnessCase {
  /** What the other user's connections do. */
  readonly load: Work;
  readonly work: Work;
  /** The middle of several rounds, in milliseconds. */
  readonly alone: {readonly p50: number; readonly p99: number};
  readonly beside: Beside;
  /** The same while the other user's client competes for the processors with the server and this user's client, if that is measured. */
  readonly crowded: Beside | undefined;
  /** Requests of the other user per second, and how long one of them takes, in milliseconds. */
  readonly loadRate: number;
  readonly loadP50: number;
  readonly failures: number;
}

export interface FairnessResult {
  readonly subject: string;
  readonly connections: number;
  /** How the other user's client lets those that are measured have the processors first. */
  readonly yielding: Yielding;
  readonly cases: readonly FairnessCase[];
}

/** What is measured, and how long. */
export interface FairnessPlan {
  readonly pairs: readonly (readonly [load: Work, work: Work])[];
  readonly rounds: number;
  /** Of each measurement. */
  readonly seconds: number;
  /** How long each pair goes on before it is measured: a server that has just started compiles its code meanwhile, and that is told by other parts of the benchmark. */
  readonly warmUpSeconds: number;
  /** How the other user's client is to let those that are measured have the processors first. */
  readonly yielding: Yielding;
  /** Whether to measure too what a client does that competes for the processors. */
  readonly crowded: boolean;
}

const connections = 20;
const objects = 2_000;
const pairs: FairnessPlan['pairs'] = [
  ['get', 'get'],
  ['list of 500', 'get'],
  ['create', 'get'],
  ['create', 'create'],
  ['list of 500', 'list of 500'],
];

/** What the benchmark measures. */
export function fairnessPlan({quick}: Pick<BenchOptions, 'quick'>): FairnessPlan {
  return {pairs, ...(quick ? {rounds: 2, seconds: 1} : {rounds: 3, seconds: 2}), warmUpSeconds: 2.5, yielding: 'idle', crowded: true};
}

/** Starts a server of its own on a store, with the default configuration and two users who may do everything. */
export async function measureFairness(
  name: SubjectName,
  plan: FairnessPlan,
  redisFsync: BenchOptions['redisFsync'],
  progress: (text: string) => void = () => undefined,
): Promise<FairnessResult> {
  progress(`${name}: fairness`);
  const cleanups: (() => void | Promise<void>)[] = [];
  // All that the helper asks of a test is a place for its cleanup.
  const t = {teardown: (cleanup: () => void | Promise<void>) => cleanups.push(cleanup)} as unknown as ExecutionContext;
  try {
    const redis = name === 'redis' ? await startRedis(t, {appendonly: true, args: ['--appendfsync', redisFsync]}) : undefined;
    const store = redis?.url ?? (name === 'memory' ? 'memory' : undefined);
    const server = await spawnOrch(store === undefined ? {} : {store});
    cleanups.unshift(() => server.stop().then(() => undefined));
    await permitUsers(server);
    const [setup, busy, crowding, other] = [new LoadProcess(), new LoadProcess(), new LoadProcess(), new LoadProcess()];
    for (const process of [setup, busy, crowding, other]) cleanups.unshift(() => process.close());
    const admin = adminTarget(server);
    await setup.run({kind: 'connect', targets: [admin], concurrency: 8});
    const target = await userTarget(server, 'busy');
    for (const process of [busy, crowding]) await process.run({kind: 'connect', targets: [target], concurrency: connections});
    // On few processors server and measured client would wait for the busy client, and that would be taken for the server's time.
    const yielding = busy.yieldToOthers(plan.yielding);
    await other.run({kind: 'connect', targets: [await userTarget(server, 'other')], concurrency: 1});
    const world = new World({setup, busy, crowding, other}, plan);
    await world.fill();
    const cases: FairnessCase[] = [];
    for (const [load, work] of plan.pairs) {
      progress(`${name}: fairness, ${work} beside ${load}`);
      cases.push(await world.measure(load, work));
    }
    return {subject: name, connections, yielding, cases};
  } finally {
    for (const cleanup of cleanups) await cleanup();
  }
}

interface Clients {
  readonly setup: LoadProcess;
  /** The other user's client, which lets others have the processors first, and one that does not. */
  readonly busy: LoadProcess;
  readonly crowding: LoadProcess;
  /** Whose requests are measured. */
  readonly other: LoadProcess;
}

class World {
  #namespaces = 0;

  constructor(
    private readonly clients: Clients,
    private readonly plan: FairnessPlan,
  ) {}

  async fill(): Promise<void> {
    const {setup} = this.clients;
    await setup.run({kind: 'namespace', name: 'bench'});
    await setup.run({kind: 'requests', work: 'create', namespace: 'bench', count: objects, maxSeconds: 60, objects});
  }

  async measure(load: Work, work: Work): Promise<FairnessCase> {
    const {busy, crowding, other} = this.clients;
    const {rounds, seconds, warmUpSeconds, crowded: measuresCrowded} = this.plan;
    if (warmUpSeconds > 0) await this.#beside(busy, load, work, warmUpSeconds);
    await other.run(await this.#job(work, seconds / 4));
    const alone: Measurement[] = [];
    const beside: Loaded[] = [];
    const crowded: Loaded[] = [];
    for (let round = 0; round < rounds; round += 1) {
      alone.push(await other.run(await this.#job(work, seconds)));
      beside.push(await this.#beside(busy, load, work, seconds));
      if (measuresCrowded) crowded.push(await this.#beside(crowding, load, work, seconds));
    }
    const middle = (all: readonly Measurement[]) => ({p50: median(all.map(({p50}) => p50)), p99: median(all.map(({p99}) => p99))});
    const against = (all: readonly Loaded[]) => ({
      ...middle(all.map(({own}) => own)),
      slower: median(alone.map(({p99}, round) => all[round]!.own.p99 / p99)),
    });
    const loads = beside.map((one) => one.load);
    return {
      load,
      work,
      alone: middle(alone),
      beside: against(beside),
      crowded: measuresCrowded ? against(crowded) : undefined,
      loadRate: median(loads.map(({operations, seconds}) => operations / seconds)),
      loadP50: median(loads.map(({p50}) => p50)),
      failures: [...alone, ...[...beside, ...crowded].flatMap((one) => [one.own, one.load])].reduce((sum, {failures}) => sum + failures, 0),
    };
  }

  async #beside(client: LoadProcess, load: Work, work: Work, seconds: number): Promise<Loaded> {
    const [own, busy] = [await this.#job(work, seconds), await this.#job(load, seconds + 0.6)];
    const loading = client.run(busy);
    // Both begin while the load is on, and end while it still is.
    await sleep(300);
    return {own: await this.clients.other.run(own), load: await loading};
  }

  /** Objects can be created once: each job that does so has a namespace of its own. */
  async #job(work: Work, maxSeconds: number): Promise<RequestJob> {
    let namespace = 'bench';
    if (work === 'create') await this.clients.setup.run({kind: 'namespace', name: (namespace = `bench-${this.#namespaces++}`)});
    return {kind: 'requests', work, namespace, count: 1_000_000, maxSeconds, objects};
  }
}

interface Loaded {
  readonly own: Measurement;
  readonly load: Measurement;
}
