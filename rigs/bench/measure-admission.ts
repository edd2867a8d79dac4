import type {ExecutionContext} from 'ava';
import {spawnOrch, type OrchProcess} from '../../test/helpers/orch-process.js';
import {httpsClient, type HttpsClient} from '../../test/helpers/https-client.js';
import {startRedis} from '../../test/helpers/redis-server.js';
import {eventually} from '../../test/helpers/eventually.js';
import {allowingWebhook} from './allowing-webhook.js';
import {admissionCases, type AdmissionCase} from './admission-cases.js';
import {LoadProcess} from './load-process.js';
import type {BenchOptions, SubjectName} from './options.js';
import {median} from './percentile.js';
import {cpuSeconds} from './process-usage.js';
import type {Measurement} from './work.js';

/** What creating objects costs while somebody has a say. */
export interface AdmissionCaseResult {
  readonly name: string;
  /** The case that it is compared with. */
  readonly base: string | undefined;
  /** CPU seconds of the server per 1,000 creates: the middle of the rounds. */
  readonly cpu: number;
  /** CPU over that of the base, in the same round: the middle of the rounds. */
  readonly ratio: number | undefined;
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  readonly failures: number;
}

export interface AdmissionResult {
  readonly subject: string;
  readonly cases: readonly AdmissionCaseResult[];
}

const gates = ['--feature-gates', 'ValidatingAdmissionPolicy=true', '--runtime-config', 'admissionregistration.orch/v1alpha1=true'];
const concurrency = 8;
const warmCreates = 300;

/** Measures the cases in turn, several times, on one server of a store: what a case leaves behind is removed before the next. */
export async function measureAdmission(
  name: SubjectName,
  {quick, redisFsync}: Pick<BenchOptions, 'quick' | 'redisFsync'>,
  progress: (text: string) => void = () => undefined,
): Promise<AdmissionResult> {
  const cleanups: (() => void | Promise<void>)[] = [];
  // All that the helpers ask of a test is a place for their cleanup.
  const t = {teardown: (cleanup: () => void | Promise<void>) => cleanups.unshift(cleanup)} as unknown as ExecutionContext;
  try {
    const redis = name === 'redis' ? await startRedis(t, {appendonly: true, args: ['--appendfsync', redisFsync]}) : undefined;
    const store = redis?.url ?? (name === 'memory' ? 'memory' : undefined);
    const server = await spawnOrch({...(store === undefined ? {} : {store}), extra: gates});
    cleanups.unshift(() => server.stop().then(() => undefined));
    const hook = await allowingWebhook(t);
    const load = new LoadProcess();
    cleanups.unshift(() => load.close());
    await load.run({kind: 'connect', targets: [server], concurrency});
    const world = new World(server, httpsClient(t, server), load, quick ? 800 : 3_000);
    const cases = admissionCases({url: `${hook.url}/`, ca: hook.ca});
    const rounds = quick ? 2 : 5;
    const measured = new Map<string, Round[]>(cases.map((one) => [one.name, []]));
    // What runs for the first time is compiled in a round that does not count.
    for (let round = -1; round < rounds; round += 1) {
      for (const one of cases) {
        progress(`${name}: admission, ${one.name}`);
        const figures = await world.measure(one);
        if (round >= 0) measured.get(one.name)!.push(figures);
      }
    }
    return {subject: name, cases: cases.map((one) => resultOf(one, measured))};
  } finally {
    for (const cleanup of cleanups) await cleanup();
  }
}

interface Round extends Measurement {
  readonly cpu: number;
}

class World {
  #namespaces = 0;

  constructor(
    private readonly server: OrchProcess,
    private readonly client: HttpsClient,
    private readonly load: LoadProcess,
    private readonly count: number,
  ) {}

  async measure({work, objects, labels = {}, probe}: AdmissionCase): Promise<Round> {
    const namespace = `admitted-${this.#namespaces++}`;
    await this.#create('/api/v1/namespaces', {metadata: {name: namespace, labels}});
    const made: string[] = [];
    for (const {collection, object} of objects) {
      const path = collection.replace('NAMESPACE', namespace);
      await this.#create(path, object);
      made.push(`${path}/${object.metadata.name}`);
    }
    await this.#inEffect(namespace, work, probe);
    await this.#requests(`${namespace}`, work, 1_000_000, warmCreates);
    const before = cpuSeconds([this.server.pid]);
    const measurement = await this.#requests(namespace, work, 0, this.count);
    const cpu = ((cpuSeconds([this.server.pid]) - before) * 1_000) / measurement.operations;
    for (const path of made) await this.client.delete(path);
    return {...measurement, cpu};
  }

  /** Until pods can be made (their service account is there), and the case's own probe is satisfied. */
  async #inEffect(namespace: string, work: AdmissionCase['work'], probe: AdmissionCase['probe']): Promise<void> {
    if (work === 'create pod') {
      await eventually(
        () => this.client.get(`/api/v1/namespaces/${namespace}/serviceaccounts/default`),
        ({status}) => status === 200,
      );
    }
    if (probe) {
      await eventually(
        () => this.client.get(probe.path.replace('NAMESPACE', namespace)),
        (response) => probe.isReady(response.json()),
      );
    }
  }

  #requests(namespace: string, work: AdmissionCase['work'], first: number, count: number): Promise<Measurement> {
    return this.load.run({kind: 'requests', work, namespace, count, maxSeconds: 60, objects: count, first});
  }

  async #create(path: string, body: object): Promise<void> {
    const response = await this.client.post(path, body);
    if (response.status !== 201) throw new Error(`POST ${path}: status ${response.status} ${response.text}`);
  }
}

function resultOf({name, base}: AdmissionCase, measured: ReadonlyMap<string, readonly Round[]>): AdmissionCaseResult {
  const rounds = measured.get(name)!;
  const others = base === undefined ? undefined : measured.get(base)!;
  return {
    name,
    base,
    cpu: median(rounds.map(({cpu}) => cpu)),
    ratio: others && median(rounds.map(({cpu}, round) => cpu / others[round]!.cpu)),
    rate: median(rounds.map(({operations, seconds}) => operations / seconds)),
    p50: median(rounds.map(({p50}) => p50)),
    p99: median(rounds.map(({p99}) => p99)),
    failures: rounds.reduce((sum, {failures}) => sum + failures, 0),
  };
}
