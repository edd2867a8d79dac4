import type {ExecutionContext} from 'ava';
import {setTimeout as sleep} from 'node:timers/promises';
import {httpsClient, type HttpsClient} from '../../test/helpers/https-client.js';
import {spawnOrch, type OrchProcess} from '../../test/helpers/orch-process.js';
import {startRedis} from '../../test/helpers/redis-server.js';
import {adminTarget} from './bench-users.js';
import {LoadProcess} from './load-process.js';
import type {BenchOptions, SubjectName} from './options.js';
import {cpuSeconds} from './process-usage.js';
import {inspectable} from './inspector.js';
import {longestTurnOf, watchTurns, type LongestTurn} from './server-heap.js';
import type {Measurement} from './work.js';

/** How the dependents of one owner went. */
export interface CollectionCase {
  readonly policy: 'Background' | 'Foreground' | 'Orphan';
  /** From the deletion of the owner until the last dependent was gone, or was free. */
  readonly seconds: number;
  /** CPU seconds of the server. */
  readonly cpu: number;
  /** The longest time for which the server did nothing else. */
  readonly longestTurn: LongestTurn;
  /** Requests for a ConfigMap that has nothing to do with it. */
  readonly probed: Measurement;
}

export interface CollectionResult {
  readonly subject: string;
  readonly dependents: number;
  /** Requests for that ConfigMap before, while nothing happens: what is long here is so because others use the machine. */
  readonly idle: Measurement;
  readonly cases: readonly CollectionCase[];
}

const namespace = 'bench-gc';
const maps = `/api/v1/namespaces/${namespace}/configmaps`;
const probeMillis = 5;
const lookMillis = 100;
const longestSeconds = 300;
/** In one job: the load client has two minutes for one. */
const createdAtOnce = 10_000;

/** Starts a server of its own on a store and deletes an owner of many dependents, in each of the ways there are, while another client asks for something else. */
export async function measureCollection(
  name: SubjectName,
  {dependents, redisFsync}: BenchOptions,
  progress: (text: string) => void,
): Promise<CollectionResult> {
  const cleanups: (() => void | Promise<void>)[] = [];
  // All that the helper asks of a test is a place for its cleanup.
  const t = {teardown: (cleanup: () => void | Promise<void>) => cleanups.push(cleanup)} as unknown as ExecutionContext;
  try {
    const redis = name === 'redis' ? await startRedis(t, {appendonly: true, args: ['--appendfsync', redisFsync]}) : undefined;
    const store = redis?.url ?? (name === 'memory' ? 'memory' : undefined);
    const server = await spawnOrch({env: inspectable, ...(store === undefined ? {} : {store})});
    cleanups.unshift(() => server.stop().then(() => undefined));
    const [load, prober] = [new LoadProcess(), new LoadProcess()];
    for (const process of [load, prober]) cleanups.unshift(() => process.close());
    const client = httpsClient({teardown: (cleanup) => cleanups.unshift(cleanup)}, server);
    await load.run({kind: 'connect', targets: [adminTarget(server)], concurrency: 16});
    await prober.run({kind: 'connect', targets: [adminTarget(server)], concurrency: 1});
    for (const each of [namespace, 'bench-probe']) await load.run({kind: 'namespace', name: each});
    await watchTurns(server);
    let idle: Measurement | undefined;
    const cases: CollectionCase[] = [];
    for (const policy of ['Background', 'Foreground', 'Orphan'] as const) {
      progress(`${name}: ${dependents} dependents, ${policy}`);
      const {uid} = (await client.post(maps, {metadata: {name: 'owner'}})).json<{metadata: {uid: string}}>().metadata;
      for (let first = 0; first < dependents; first += createdAtOnce) {
        const count = Math.min(createdAtOnce, dependents - first);
        const job = {kind: 'requests', work: 'create', namespace, count, first, owner: uid, maxSeconds: 100, objects: count} as const;
        const {operations, failures, firstFailure} = await load.run(job);
        if (failures > 0 || operations < count) throw new Error(`making dependents: ${firstFailure ?? 'the machine is too slow'}`);
      }
      if (!idle) {
        await prober.run({kind: 'probe', namespace: 'bench-probe', everyMillis: probeMillis});
        await sleep(3000);
        idle = await prober.run({kind: 'probed'});
      }
      cases.push(await collect(policy, server, client, prober));
      if (policy === 'Orphan') continue;
      const left = (await client.get(`${maps}?limit=1`)).json<{items: unknown[]}>().items;
      if (left.length > 0) throw new Error(`${policy}: dependents are left`);
    }
    return {subject: name, dependents, idle: idle!, cases};
  } finally {
    for (const cleanup of cleanups) await cleanup();
  }
}

async function collect(
  policy: CollectionCase['policy'],
  server: OrchProcess,
  client: HttpsClient,
  prober: LoadProcess,
): Promise<CollectionCase> {
  await prober.run({kind: 'probe', namespace: 'bench-probe', everyMillis: probeMillis});
  await longestTurnOf(server);
  const used = cpuSeconds([server.pid]);
  const began = performance.now();
  const {status, text} = await client.delete(`${maps}/owner?propagationPolicy=${policy}`);
  if (status !== 200) throw new Error(text);
  while (!(await isOver(policy, client))) {
    if (performance.now() - began > longestSeconds * 1000) throw new Error(`${policy}: not over after ${longestSeconds} s`);
    await sleep(lookMillis);
  }
  const seconds = (performance.now() - began) / 1000;
  const cpu = cpuSeconds([server.pid]) - used;
  const longestTurn = await longestTurnOf(server);
  return {policy, seconds, cpu, longestTurn, probed: await prober.run({kind: 'probed'})};
}

/** An owner goes at once in the background, otherwise after its dependents. */
async function isOver(policy: CollectionCase['policy'], client: HttpsClient): Promise<boolean> {
  if (policy !== 'Background') return (await client.get(`${maps}/owner`)).status === 404;
  return (await client.get(`${maps}?limit=1`)).json<{items: unknown[]}>().items.length === 0;
}
