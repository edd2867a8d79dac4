import type {ExecutionContext} from 'ava';
import {setTimeout as sleep} from 'node:timers/promises';
import {spawnOrch, type OrchProcess} from '../../test/helpers/orch-process.js';
import {startRedis} from '../../test/helpers/redis-server.js';
import {LoadProcess} from './load-process.js';
import type {BenchOptions, SubjectName} from './options.js';
import {cpuSeconds, residentMegabytes} from './process-usage.js';
import {inspectable} from './inspector.js';
import {heapOf} from './server-heap.js';
import type {Measurement} from './work.js';

/** What many CustomResourceDefinitions cost, and what others notice of it. */
export interface DefinitionsResult {
  readonly subject: string;
  /** The creations, and the time until all are established. */
  readonly created: Measurement;
  /** GETs of a ConfigMap on the idle server: what is long here is so because others use the machine. */
  readonly idle: Measurement;
  /** The same while the definitions are created. */
  readonly probed: Measurement;
  /** CPU seconds of the server. */
  readonly cpu: number;
  /** Per definition, none of which has been used, in KB: JavaScript objects, and all with buffers (the stored texts and their recent history). */
  readonly kilobytes: {readonly heap: number; readonly all: number};
  /** Resident MB of the server before and after. */
  readonly memory: {readonly idle: number; readonly loaded: number};
}

/** Definitions that go before and are not counted: what runs for the first time is compiled meanwhile. */
const warmCount = 50;
const namespace = 'bench-probe';
const probeMillis = 2;
const idleMillis = 2_000;

/** Starts a server of its own on a store and has a client create definitions, while another one asks for a ConfigMap. */
export async function measureDefinitions(
  name: SubjectName,
  options: BenchOptions,
  progress: (text: string) => void,
): Promise<DefinitionsResult> {
  progress(`${name}: definitions`);
  const cleanups: (() => void | Promise<void>)[] = [];
  // All that the helper asks of a test is a place for its cleanup.
  const t = {teardown: (cleanup: () => void | Promise<void>) => cleanups.push(cleanup)} as unknown as ExecutionContext;
  try {
    const redis = name === 'redis' ? await startRedis(t, {appendonly: true, args: ['--appendfsync', options.redisFsync]}) : undefined;
    const store = redis?.url ?? (name === 'memory' ? 'memory' : undefined);
    // Definitions come in the names of Kubernetes.
    const server = await spawnOrch({platform: 'kubernetes', env: inspectable, ...(store === undefined ? {} : {store})});
    cleanups.unshift(() => server.stop().then(() => undefined));
    const load = new LoadProcess();
    cleanups.unshift(() => load.close());
    const prober = new LoadProcess();
    cleanups.unshift(() => prober.close());
    return {subject: name, ...(await measure(server, load, prober, options, redis?.pid))};
  } finally {
    for (const cleanup of cleanups) await cleanup();
  }
}

async function measure(server: OrchProcess, load: LoadProcess, prober: LoadProcess, options: BenchOptions, redisPid: number | undefined) {
  const {concurrency, definitions} = options;
  await load.run({kind: 'connect', targets: [targetOf(server)], concurrency});
  await prober.run({kind: 'connect', targets: [targetOf(server)], concurrency: 1});
  await load.run({kind: 'namespace', name: namespace});
  const maxSeconds = 60;
  await prober.run({kind: 'probe', namespace, everyMillis: probeMillis});
  await load.run({kind: 'definitions', first: definitions, count: warmCount, maxSeconds});
  await prober.run({kind: 'probed'});
  const before = await heapOf(server);
  const memory = residentMegabytes(server.pid).now;

  await prober.run({kind: 'probe', namespace, everyMillis: probeMillis});
  await sleep(idleMillis);
  const idle = await prober.run({kind: 'probed'});

  const pids = redisPid === undefined ? [server.pid] : [server.pid, redisPid];
  const used = cpuSeconds(pids);
  await prober.run({kind: 'probe', namespace, everyMillis: probeMillis});
  const created = await load.run({kind: 'definitions', first: 0, count: definitions, maxSeconds});
  // What the server puts off until things are quiet belongs to it.
  await sleep(500);
  const probed = await prober.run({kind: 'probed'});
  const cpu = cpuSeconds(pids) - used;
  const loaded = residentMegabytes(server.pid).now;
  const after = await heapOf(server);
  const each = (bytes: number) => bytes / 1024 / definitions;
  const heap = each(after.heap - before.heap);
  return {
    created,
    idle,
    probed,
    cpu,
    kilobytes: {heap, all: heap + each(after.external - before.external)},
    memory: {idle: memory, loaded},
  };
}

function targetOf({url, ca, cert, key}: OrchProcess) {
  return {url, ca, cert, key};
}
