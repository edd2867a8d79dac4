import type {ExecutionContext} from 'ava';
import {setTimeout as sleep} from 'node:timers/promises';
import {httpsClient} from '../../test/helpers/https-client.js';
import {spawnOrch, type OrchProcess} from '../../test/helpers/orch-process.js';
import {startRedis} from '../../test/helpers/redis-server.js';
import {median} from './percentile.js';
import type {SubjectName} from './options.js';
import {cpuSeconds, residentMegabytes, wakesOf} from './process-usage.js';
import {inspectable} from './inspector.js';
import {heapOf, type HeapUsage} from './server-heap.js';

/** A server that has nothing to do. */
export interface IdleCase {
  readonly controllers: 'all' | 'none';
  /** Percent of one processor. */
  readonly processor: number;
  /** How often a second something wakes it. */
  readonly wakes: number;
  /** Megabytes: what is held after a collection, and what is resident. */
  readonly held: number;
  readonly resident: number;
  /** Until it is ready. */
  readonly readySeconds: number;
  /** From then until somebody leads; undefined where nobody has to. */
  readonly leaderSeconds: number | undefined;
}

export interface IdleResult {
  readonly subject: string;
  readonly seconds: number;
  readonly cases: readonly IdleCase[];
}

/** Until what a start leaves behind has been done. */
const settleSeconds = 20;
const starts = 3;
const flags = {
  all: '--controllers=*,disruption,statefulset,bootstrapsigner,tokencleaner',
  // The smallest: the setting has to name one.
  none: '--controllers=service-claims',
};

/** Starts a server with all controllers and one without any, and lets them be. */
export async function measureIdle(name: SubjectName, quick: boolean, progress: (text: string) => void): Promise<IdleResult> {
  const seconds = quick ? 20 : 60;
  const cleanups: (() => void | Promise<void>)[] = [];
  // All that the helper asks of a test is a place for its cleanup.
  const t = {teardown: (cleanup: () => void | Promise<void>) => cleanups.push(cleanup)} as unknown as ExecutionContext;
  try {
    const servers: {server: OrchProcess; controllers: IdleCase['controllers']; ready: number; leader: number | undefined}[] = [];
    for (const controllers of ['all', 'none'] as const) {
      const redis = name === 'redis' ? await startRedis(t) : undefined;
      const store = redis?.url ?? (name === 'memory' ? 'memory' : undefined);
      const begun: {ready: number; leader: number | undefined}[] = [];
      for (let start = 1; ; start += 1) {
        progress(`${name}: idle, controllers ${controllers}, start ${start}`);
        const server = await spawnOrch({env: inspectable, extra: [flags[controllers]], ...(store === undefined ? {} : {store})});
        begun.push({ready: server.readyMillis / 1000, leader: controllers === 'all' ? await leaderSeconds(server) : undefined});
        if (start === starts) {
          cleanups.unshift(() => server.stop().then(() => undefined));
          const leader = controllers === 'all' ? median(begun.map((one) => one.leader!)) : undefined;
          servers.push({server, controllers, ready: median(begun.map((one) => one.ready)), leader});
          break;
        }
        await server.stop();
      }
    }
    progress(`${name}: idle for ${settleSeconds + seconds} s`);
    await sleep(settleSeconds * 1000);
    const before = servers.map(({server: {pid}}) => ({cpu: cpuSeconds([pid]), wakes: wakesOf(pid)}));
    await sleep(seconds * 1000);
    const used = servers.map(({server: {pid}}, index) => ({
      processor: ((cpuSeconds([pid]) - before[index]!.cpu) / seconds) * 100,
      wakes: (wakesOf(pid) - before[index]!.wakes) / seconds,
      resident: residentMegabytes(pid).now,
    }));
    const held: HeapUsage[] = [];
    for (const {server} of servers) held.push(await heapOf(server));
    const cases = servers.map(({controllers, ready, leader}, index) => ({
      controllers,
      ...used[index]!,
      held: (held[index]!.heap + held[index]!.external) / 2 ** 20,
      readySeconds: ready,
      leaderSeconds: leader,
    }));
    return {subject: name, seconds, cases};
  } finally {
    for (const cleanup of cleanups) await cleanup();
  }
}

/** From the line `ready` until the lease of the controllers has a holder. */
async function leaderSeconds(server: OrchProcess): Promise<number> {
  const began = performance.now();
  const client = httpsClient({teardown: () => undefined}, server);
  try {
    for (;;) {
      const {items = []} = (await client.get(leases)).json<{items?: {metadata: {name: string}; spec?: {holderIdentity?: string}}[]}>();
      if (items.some(({metadata, spec}) => metadata.name.endsWith('controller-manager') && spec?.holderIdentity)) break;
      if (performance.now() - began > 30_000) throw new Error('nobody leads the controllers');
      await sleep(5);
    }
    return (performance.now() - began) / 1000;
  } finally {
    client.close();
  }
}
const leases = '/apis/coordination.orch/v1/namespaces/orch-system/leases';
