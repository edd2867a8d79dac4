import {LoadProcess} from '../bench/load-process.js';
import {cpuSeconds, residentMegabytes} from '../bench/process-usage.js';
import {inspectable} from '../bench/inspector.js';
import {heapOf} from '../bench/server-heap.js';
import type {Measurement, RequestJob} from '../bench/work.js';
import {spawnOrch} from '../../test/helpers/orch-process.js';
import {startRedis} from '../../test/helpers/redis-server.js';
import {httpsClient} from '../../test/helpers/https-client.js';

/** What work costs a server, in microseconds of its processor time for each. */
export interface ServerCosts {
  readonly create: number;
  readonly update: number;
  readonly get: number;
  readonly listOf500: number;
  /** One event to one watch. */
  readonly event: number;
  /** A write of another server to a type that somebody here has asked for, and to one that nobody has. */
  readonly followed: number;
  readonly unfollowed: number;
  /** Bytes held for each object of about 1 KB, and for each watch with its TLS connection. */
  readonly object: number;
  readonly watch: number;
  /** Bytes that an idle server has in memory. */
  readonly base: number;
}

const namespace = 'scale';
const watchers = 200;

/** Two servers on one Redis: the first does the work, the second follows. */
export async function measureServer(quick: boolean, progress: (text: string) => void): Promise<ServerCosts> {
  const cleanups: (() => unknown)[] = [];
  const teardown = (cleanup: () => unknown) => void cleanups.unshift(cleanup);
  try {
    const redis = await startRedis({teardown}, {appendonly: true, args: ['--appendfsync', 'everysec']});
    const servers = [];
    for (let count = 0; count < 2; count++) {
      const server = await spawnOrch({store: redis.url, env: inspectable});
      teardown(() => server.stop());
      servers.push(server);
    }
    const [working, following] = servers as [(typeof servers)[number], (typeof servers)[number]];
    const base = residentMegabytes(working.pid).now * 2 ** 20;
    const load = new LoadProcess();
    teardown(() => load.close());
    await load.run({kind: 'connect', targets: [working], concurrency: 16});
    await load.run({kind: 'namespace', name: namespace});
    const objects = quick ? 5_000 : 20_000;
    let made = 0;
    const requests = async (work: RequestJob['work'], count: number): Promise<Measurement> => {
      const done = await load.run({kind: 'requests', work, namespace, count, maxSeconds: 100, objects: Math.max(made, 1), first: made});
      if (done.failures > 0) throw new Error(`${done.failures} requests failed: ${done.firstFailure ?? ''}`);
      if (work === 'create') made += count;
      return done;
    };
    const cost = async (text: string, pid: number, run: () => Promise<Measurement>): Promise<number> => {
      progress(text);
      const before = cpuSeconds([pid]);
      const {operations} = await run();
      return ((cpuSeconds([pid]) - before) * 1e6) / operations;
    };
    await requests('create', 2_000);
    const empty = await heapOf(working);
    const create = await cost('create', working.pid, () => requests('create', objects));
    const full = await heapOf(working);
    const held = (usage: typeof empty) => usage.heap + usage.external;
    await requests('update', 5_000);
    // Nobody has asked the second server for anything yet.
    const unfollowed = await cost('follow a type that nobody asks for', following.pid, () => requests('update', 3_000));
    const client = httpsClient({teardown}, following);
    await client.get(`/api/v1/namespaces/${namespace}/configmaps?limit=1`);
    await requests('update', 3_000);
    const followed = await cost('follow a type that somebody asks for', following.pid, () => requests('update', 3_000));
    const update = await cost('update', working.pid, () => requests('update', 3_000));
    await requests('get', 3_000);
    const get = await cost('get', working.pid, () => requests('get', 10_000));
    await requests('list of 500', 40);
    const listOf500 = await cost('list of 500', working.pid, () => requests('list of 500', 300));
    progress('watches');
    const before = await heapOf(working);
    await load.run({kind: 'watchers', namespace, count: watchers});
    const after = await heapOf(working);
    const writes = quick ? 500 : 1_000;
    const watched = await cost('watch', working.pid, () => load.run({kind: 'watch', namespace, writes, maxSeconds: 60, objects: made}));
    return {
      create,
      update,
      get,
      listOf500,
      // The updates that cause the events are counted with them.
      event: watched - update / watchers,
      followed,
      unfollowed,
      object: (held(full) - held(empty)) / objects,
      watch: (held(after) - held(before)) / watchers,
      base,
    };
  } finally {
    for (const cleanup of cleanups) await cleanup();
  }
}
