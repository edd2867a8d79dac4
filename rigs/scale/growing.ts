import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {LoadProcess} from '../bench/load-process.js';
import {cpuSeconds} from '../bench/process-usage.js';
import type {Measurement} from '../bench/work.js';
import {httpsClient, type HttpsClient} from '../../test/helpers/https-client.js';
import {spawnOrch, type OrchProcess} from '../../test/helpers/orch-process.js';
import {fillStore} from './fill-store.js';
import {settled, type Figures} from './growth.js';
import {leastObjects, measuredNamespace, oneMore, type GrowthPlan, type GrowthWork} from './growth-plans.js';

/** Operations of one measurement. */
const operations: Readonly<Record<string, number>> = {
  get: 1_500,
  'list of 20': 200,
  'list of 20 by label': 200,
  'list by label': 200,
  create: 400,
  update: 400,
  'merge patch': 400,
  path: 30,
};
/** Events of one measurement, about, but for those of so many updates. */
const events = 20_000;
const leastUpdates = 4;

/** A server that gets more of something. */
export class Growing {
  readonly #load = new LoadProcess();
  readonly #client: HttpsClient;
  /** Objects that are there. */
  readonly #objects: number;
  #created = 0;

  private constructor(
    readonly plan: GrowthPlan,
    readonly server: OrchProcess,
    readonly folder: string,
    objects: number | undefined,
  ) {
    this.#client = httpsClient({teardown: () => undefined}, server);
    this.#objects = objects ?? leastObjects;
  }

  /** @param filled how many objects are in the store at first, which is in memory where there are none */
  static async start(plan: GrowthPlan, filled: number | undefined): Promise<Growing> {
    const folder = mkdtempSync(join(tmpdir(), 'orch-growth-'));
    const dataDir = join(folder, 'data');
    const common = {dataDir, platform: 'kubernetes', startTimeoutMillis: 300_000, ...(plan.flags ? {extra: plan.flags} : {})} as const;
    if (filled !== undefined) await fillStore(folder, dataDir, {namespace: measuredNamespace, objects: filled, platform: 'kubernetes'});
    const server = await spawnOrch(filled === undefined ? {...common, store: 'memory'} : common);
    const growing = new Growing(plan, server, folder, filled);
    try {
      await growing.#warmUp(filled !== undefined);
      return growing;
    } catch (error) {
      await growing.close();
      throw error;
    }
  }

  /** What runs for the first time is compiled meanwhile. */
  async #warmUp(isFilled: boolean): Promise<void> {
    await this.#connect(1);
    const kept = {kind: 'requests', namespace: measuredNamespace, maxSeconds: 100, objects: this.#objects} as const;
    if (!isFilled) {
      await this.#load.run({kind: 'namespace', name: measuredNamespace});
      await this.#load.run({...kept, work: 'create', count: leastObjects});
    }
    for (const [work, count] of [
      ['get', 5_000],
      ['update', 3_000],
      ['list of 20', 500],
    ] as const) {
      await this.#load.run({...kept, work, count});
    }
  }

  /** Connections of HTTP/2 are opened when they are needed: a server closes those that ask for nothing. */
  async #connect(point: number): Promise<void> {
    const sessions = this.plan.sessions?.(point);
    await this.#load.run({kind: 'connect', targets: [this.server], concurrency: 8, ...(sessions ? {sessions} : {})});
  }

  /** Has it grow, and answers what each that was made has cost. */
  async grow(from: number, to: number): Promise<Figures> {
    if (!this.plan.grow) return {micros: undefined, p99: undefined};
    if (this.plan.sessions) await this.#connect(to);
    const before = cpuSeconds([this.server.pid]);
    const made = await this.plan.grow({client: this.#client, load: this.#load}, from, to);
    await this.settle();
    return {micros: made === 0 ? undefined : ((cpuSeconds([this.server.pid]) - before) * 1e6) / made, p99: undefined};
  }

  settle(): Promise<void> {
    return settled([this.server.pid]);
  }

  /** @param share of the usual number of operations */
  async measure(work: GrowthWork, point: number, share = 1): Promise<Figures> {
    const before = cpuSeconds([this.server.pid]);
    const {operations: done, p99, failures, firstFailure} = await this.#run(work, point, share);
    if (failures > 0) throw new Error(`${this.plan.name}, ${point}: ${work.name}: ${firstFailure}`);
    return {micros: ((cpuSeconds([this.server.pid]) - before) * 1e6) / done, p99};
  }

  #run({name, path, accept}: GrowthWork, point: number, share: number): Promise<Measurement> {
    const common = {namespace: measuredNamespace, maxSeconds: 60, objects: this.#objects};
    if (name === 'event to a watch') {
      return this.#load.run({...common, kind: 'watch', writes: Math.ceil(Math.max(leastUpdates, Math.min(500, events / point)))});
    }
    if (name === oneMore) throw new Error('what grows is measured as it grows');
    const count = operations[name]! * share;
    const first = name === 'create' ? {first: this.#objects + this.#created} : {};
    if (name === 'create') this.#created += count;
    return this.#load.run({...common, kind: 'requests', work: name, count, ...first, ...(path ? {path} : {}), ...(accept ? {accept} : {})});
  }

  async close(): Promise<void> {
    this.#client.close();
    await this.#load.close();
    await this.server.stop();
    rmSync(this.folder, {recursive: true, force: true});
  }
}
