import type {ExecutionContext} from 'ava';
import {setTimeout as sleep} from 'node:timers/promises';
import {spawnOrch} from '../helpers/orch-process.js';
import {startRedis} from '../helpers/redis-server.js';
import {adminTarget, permitUsers, userTarget} from './bench-users.js';
import {LoadProcess} from './load-process.js';
import type {BenchOptions, SubjectName} from './options.js';
import {median} from './percentile.js';
import type {Measurement, RequestJob} from './work.js';

type Work = RequestJob['work'];

/** One user's requests alone, and beside another user who sends as fast as the server answers. */
export interface FairnessCase {
  /** What the other user's connections do. */
  readonly load: Work;
  readonly work: Work;
  /** The middle of several rounds, in milliseconds. */
  readonly alone: {readonly p50: number; readonly p99: number};
  readonly beside: {readonly p50: number; readonly p99: number};
  /** How many times the p99 grows: the middle of the rounds. */
  readonly slower: number;
  /** Requests of the other user per second, and how long one of them takes, in milliseconds. */
  readonly loadRate: number;
  readonly loadP50: number;
  readonly failures: number;
}

export interface FairnessResult {
  readonly subject: string;
  readonly connections: number;
  readonly cases: readonly FairnessCase[];
}

/** What is measured, and how long. */
export interface FairnessPlan {
  readonly pairs: readonly (readonly [load: Work, work: Work])[];
  readonly rounds: number;
  /** Of each measurement. */
  readonly seconds: number;
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
  return quick ? {pairs, rounds: 2, seconds: 1} : {pairs, rounds: 3, seconds: 2};
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
    const [setup, busy, other] = [new LoadProcess(), new LoadProcess(), new LoadProcess()];
    for (const process of [setup, busy, other]) cleanups.unshift(() => process.close());
    // On few processors the other client would wait for the busy one, and that would be taken for the server's time.
    busy.yieldToOthers();
    const admin = adminTarget(server);
    await setup.run({kind: 'connect', targets: [admin], concurrency: 8});
    await busy.run({kind: 'connect', targets: [await userTarget(server, 'busy')], concurrency: connections});
    await other.run({kind: 'connect', targets: [await userTarget(server, 'other')], concurrency: 1});
    const world = new World(setup, busy, other, plan.seconds);
    await world.fill();
    const cases: FairnessCase[] = [];
    for (const [load, work] of plan.pairs) {
      progress(`${name}: fairness, ${work} beside ${load}`);
      cases.push(await world.measure(load, work, plan.rounds));
    }
    return {subject: name, connections, cases};
  } finally {
    for (const cleanup of cleanups) await cleanup();
  }
}

class World {
  #namespaces = 0;

  constructor(
    private readonly setup: LoadProcess,
    private readonly busy: LoadProcess,
    private readonly other: LoadProcess,
    private readonly seconds: number,
  ) {}

  async fill(): Promise<void> {
    await this.setup.run({kind: 'namespace', name: 'bench'});
    await this.setup.run({kind: 'requests', work: 'create', namespace: 'bench', count: objects, maxSeconds: 60, objects});
  }

  async measure(load: Work, work: Work, rounds: number): Promise<FairnessCase> {
    await this.other.run(await this.#job(work, this.seconds / 4));
    const alone: Measurement[] = [];
    const beside: Measurement[] = [];
    const loads: Measurement[] = [];
    for (let round = 0; round < rounds; round += 1) {
      alone.push(await this.other.run(await this.#job(work, this.seconds)));
      const [own, busy] = [await this.#job(work, this.seconds), await this.#job(load, this.seconds + 0.6)];
      const loading = this.busy.run(busy);
      // Both begin while the load is on, and end while it still is.
      await sleep(300);
      beside.push(await this.other.run(own));
      loads.push(await loading);
    }
    const middle = (all: readonly Measurement[]) => ({p50: median(all.map(({p50}) => p50)), p99: median(all.map(({p99}) => p99))});
    return {
      load,
      work,
      alone: middle(alone),
      beside: middle(beside),
      slower: median(alone.map(({p99}, round) => beside[round]!.p99 / p99)),
      loadRate: median(loads.map(({operations, seconds}) => operations / seconds)),
      loadP50: median(loads.map(({p50}) => p50)),
      failures: [...alone, ...beside, ...loads].reduce((sum, {failures}) => sum + failures, 0),
    };
  }

  /** Objects can be created once: each job that does so has a namespace of its own. */
  async #job(work: Work, maxSeconds: number): Promise<RequestJob> {
    let namespace = 'bench';
    if (work === 'create') await this.setup.run({kind: 'namespace', name: (namespace = `bench-${this.#namespaces++}`)});
    return {kind: 'requests', work, namespace, count: 1_000_000, maxSeconds, objects};
  }
}
