import {LoadProcess} from '../bench/load-process.js';
import {cpuSeconds, residentMegabytes} from '../bench/process-usage.js';
import {httpsClient, type HttpsClient} from '../../test/helpers/https-client.js';
import {spawnOrch, type OrchProcess} from '../../test/helpers/orch-process.js';
import {startRedis} from '../../test/helpers/redis-server.js';
import {middle, repeats, settled, type Figures, type Growth, type Value} from './growth.js';
import {leastObjects, measuredNamespace} from './growth-plans.js';

export const serversOnRedis = 'servers on a Redis';
const points = [1, 2, 4] as const;
const large = [8] as const;

const updates = 600;
const gets = 1_500;
const configMaps = `/api/v1/namespaces/${measuredNamespace}/configmaps`;

/** Whole servers that share a Redis, each asked for the type that one of them writes. */
export async function measureServersOnRedis(isLarge: boolean, progress: (text: string) => void): Promise<Growth> {
  const cleanups: (() => unknown)[] = [];
  const teardown = (cleanup: () => unknown) => void cleanups.unshift(cleanup);
  try {
    const redis = await startRedis({teardown}, {appendonly: true, args: ['--appendfsync', 'everysec']});
    const servers: OrchProcess[] = [];
    const clients: HttpsClient[] = [];
    const load = new LoadProcess();
    teardown(() => load.close());
    const kept = {kind: 'requests', namespace: measuredNamespace, maxSeconds: 60, objects: leastObjects} as const;
    /** One more server, which somebody asks for the type. */
    const join = async () => {
      const server = await spawnOrch({store: redis.url, platform: 'kubernetes'});
      teardown(() => server.stop());
      servers.push(server);
      clients.push(httpsClient({teardown}, server));
      if (servers.length > 1) return;
      await load.run({kind: 'connect', targets: [server], concurrency: 8});
      await load.run({kind: 'namespace', name: measuredNamespace});
      await load.run({...kept, work: 'create', count: leastObjects});
      await load.run({...kept, work: 'get', count: 5_000});
    };
    /** Until all have what was written: each has to look, to answer the latest. */
    const caughtUp = () => Promise.all(clients.map((client) => client.get(`${configMaps}?limit=1`)));
    const usage = () => ({
      writer: cpuSeconds([servers[0]!.pid]),
      others: cpuSeconds(servers.slice(1).map(({pid}) => pid)),
      redis: cpuSeconds([redis.pid]),
    });
    const found = {get: curve(), writer: curve(), other: curve(), redis: curve()};
    const memory: number[] = [];
    const counts = isLarge ? [...points, ...large] : points;
    for (const count of counts) {
      progress(`${serversOnRedis}: ${count}`);
      while (servers.length < count) await join();
      await caughtUp();
      await load.run({...kept, work: 'update', count: 3_000});
      await caughtUp();
      await settled(servers.map(({pid}) => pid));
      memory.push(servers.reduce((sum, {pid}) => sum + residentMegabytes(pid).own, residentMegabytes(redis.pid).own));
      const turns: Record<keyof typeof found, Figures[]> = {get: [], writer: [], other: [], redis: []};
      for (let turn = 0; turn < repeats; turn += 1) {
        const before = usage();
        const updated = await load.run({...kept, work: 'update', count: updates});
        await caughtUp();
        const after = usage();
        const read = await load.run({...kept, work: 'get', count: gets});
        const failure = updated.firstFailure ?? read.firstFailure;
        if (failure !== undefined) throw new Error(`${serversOnRedis}, ${count}: ${failure}`);
        const each = (seconds: number) => (seconds * 1e6) / updates;
        turns.writer.push({micros: each(after.writer - before.writer), p99: updated.p99});
        turns.redis.push({micros: each(after.redis - before.redis), p99: undefined});
        if (count > 1) turns.other.push({micros: each(after.others - before.others) / (count - 1), p99: undefined});
        turns.get.push({micros: ((cpuSeconds([servers[0]!.pid]) - after.writer) * 1e6) / gets, p99: read.p99});
      }
      for (const [name, values] of Object.entries(turns) as [keyof typeof found, Figures[]][]) {
        found[name].micros.push(middle(values.map(({micros}) => micros)));
        found[name].p99.push(middle(values.map(({p99}) => p99)));
      }
    }
    const curves = [
      {name: 'get', ...found.get},
      {name: 'update', ...found.writer},
      {name: 'update: another server', ...found.other},
      {name: 'update: Redis', mayGrow: true, ...found.redis},
    ];
    return {name: serversOnRedis, points: counts, curves, memory};
  } finally {
    for (const cleanup of cleanups) await cleanup();
  }
}

function curve() {
  return {micros: [] as Value[], p99: [] as Value[]};
}
