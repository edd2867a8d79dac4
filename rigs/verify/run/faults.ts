import {randomUUID} from 'node:crypto';
import {cpSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import type {Redis} from 'ioredis';
import {until} from '../../../test/helpers/eventually.js';
import {runOrch} from '../../../test/helpers/orch-process.js';
import type {Random} from '../../../test/helpers/random.js';
import {Placement} from '../../../plugins/stores/redis/placement.js';
import {clusterShards, type Target} from './target.js';

/** Something that is done to a store or its servers, and undone, while clients work. */
export interface Injection {
  readonly name: string;
  /** Acknowledged writes may be lost by it, as the documents say: then clients must be told. */
  readonly loses?: boolean;
  possible(target: Target): boolean;
  /** Resolves once everything is as before; servers may still be finding back. */
  inject(target: Target, random: Random): Promise<void>;
}

const always = () => true;
/** All keys and what they hold, one after the other. */
const dumpAll = `local all = {} for _, key in ipairs(redis.call('KEYS', '*')) do
  all[#all + 1] = key all[#all + 1] = redis.call('DUMP', key) end return all`;

const oneRedis = ({name}: Target) => name === 'redis';
const embedded = ({name}: Target) => name === 'embedded';
const withSentinel = ({sentinel}: Target) => sentinel !== undefined;
const isCluster = ({name}: Target) => name === 'cluster';

export const injections: readonly Injection[] = [
  {
    name: 'server killed',
    possible: always,
    async inject({servers}, random) {
      const server = random.pick(servers);
      await server.end();
      await server.start();
    },
  },
  {
    name: 'server stopped in good order',
    possible: always,
    async inject({servers}, random) {
      const server = random.pick(servers);
      await server.end('SIGTERM');
      await server.start();
    },
  },
  {
    name: 'server paused briefly',
    possible: always,
    async inject({servers}, random) {
      const server = random.pick(servers);
      server.signal('SIGSTOP');
      await delay(300 + random.below(1500));
      server.signal('SIGCONT');
    },
  },
  {
    name: 'server paused beyond the history',
    possible: always,
    async inject({servers, historyMillis}, random) {
      const server = random.pick(servers);
      server.signal('SIGSTOP');
      await delay(historyMillis * 2);
      server.signal('SIGCONT');
    },
  },
  {
    name: 'clock of a server stepped by 10 minutes',
    possible: ({servers}) => servers[0]!.hasClock,
    async inject({servers}, random) {
      const server = random.pick(servers);
      server.setClock(random.pick([-600, 600]));
      await delay(2500);
      server.setClock(0);
    },
  },
  {
    name: 'Redis killed',
    possible: oneRedis,
    inject: ({nodes}) => nodes[0]!.restart(),
  },
  {
    name: 'Redis and a server killed',
    possible: oneRedis,
    async inject({nodes, servers}, random) {
      const server = random.pick(servers);
      await Promise.all([nodes[0]!.kill(), server.end()]);
      await nodes[0]!.start();
      await server.start();
    },
  },
  {
    name: 'Redis and all servers killed',
    possible: oneRedis,
    async inject({nodes, servers}) {
      await Promise.all([nodes[0]!.kill(), ...servers.map((server) => server.end())]);
      await nodes[0]!.start();
      for (const server of servers) await server.start();
    },
  },
  {
    name: 'Redis paused',
    possible: oneRedis,
    async inject({nodes, historyMillis}, random) {
      await nodes[0]!.kill('SIGSTOP');
      await delay(random.pick([500, 2500, historyMillis * 1.5]));
      await nodes[0]!.kill('SIGCONT');
    },
  },
  ...(
    [
      ['server parted from Redis', true, true],
      ['requests to Redis lost', true, false],
      ['answers of Redis lost', false, true],
    ] as const
  ).map(([name, requests, answers]): Injection => ({
    name,
    possible: ({proxies}) => proxies.length > 0,
    async inject({proxies}, random) {
      const parted = proxies.filter(() => random.chance(0.5));
      for (const proxy of parted.length === 0 ? proxies.slice(0, 1) : parted) proxy.part(requests, answers);
      await delay(500 + random.below(4000));
      for (const proxy of proxies) proxy.heal();
    },
  })),
  {
    name: 'memory of Redis full',
    possible: oneRedis,
    async inject({clients}, random) {
      await clients[0]!.config('SET', 'maxmemory', '1mb');
      await delay(500 + random.below(1500));
      await clients[0]!.config('SET', 'maxmemory', '0');
    },
  },
  {
    name: 'disk full',
    possible: ({smallDisk}) => smallDisk !== undefined,
    async inject({smallDisk}, random) {
      const ballast = join(smallDisk!, 'ballast');
      // As much as fits, in ever smaller pieces.
      for (let size = 16 * 1024 * 1024; size >= 1024;) {
        try {
          writeFileSync(ballast, Buffer.alloc(size), {flag: 'a'});
        } catch {
          size /= 4;
        }
      }
      await delay(500 + random.below(1500));
      rmSync(ballast, {force: true});
    },
  },
  {
    name: 'older folder put back',
    loses: true,
    possible: embedded,
    async inject({servers}) {
      const server = servers[0]!;
      const [live, copy] = [join(server.dataDir, 'store'), join(server.dataDir, '..', 'copy')];
      await server.end('SIGTERM');
      cpSync(live, copy, {recursive: true});
      await server.start();
      await delay(1000);
      await server.end();
      rmSync(live, {recursive: true});
      cpSync(copy, live, {recursive: true});
      rmSync(copy, {recursive: true});
      await server.start();
    },
  },
  {
    name: 'older snapshot restored',
    loses: true,
    possible: oneRedis,
    async inject({clients}) {
      const [client] = clients as [Redis];
      // In one step, as Redis takes its own snapshots: parts from different moments would not fit together.
      const taken = (await client.callBuffer('EVAL', dumpAll, 0)) as Buffer[];
      await delay(1000);
      const transaction = client.multi().flushall();
      for (let index = 0; index < taken.length; index += 2) transaction.restore(taken[index]!, 0, taken[index + 1]!);
      await transaction.exec();
    },
  },
  {
    name: 'FLUSHALL, loss accepted',
    loses: true,
    possible: oneRedis,
    async inject(target) {
      await target.clients[0]!.flushall();
      await delay(500);
      await orch('store', 'accept-loss', '--store', target.store, '--data-dir', target.servers[0]!.dataDir);
    },
  },
  {
    name: 'backup taken and restored',
    loses: true,
    possible: ({nodes}) => nodes.length > 0,
    async inject({store, servers}) {
      const file = join(servers[0]!.dataDir, `${randomUUID()}.backup`);
      const flags = ['--store', store, '--data-dir', join(servers[0]!.dataDir, '..', 'tools'), '--file', file];
      await orch('store', 'backup', ...flags);
      await delay(500);
      await orch('store', 'restore', ...flags, '--replace');
      rmSync(file);
    },
  },
  {
    name: 'FLUSHALL, data brought back',
    possible: oneRedis,
    async inject({clients}) {
      const [client] = clients as [Redis];
      // In one step, so that nothing that is acknowledged in between is lost by the way back.
      const script = `local all = {} for _, key in ipairs(redis.call('KEYS', '*')) do all[#all + 1] = {key, redis.call('DUMP', key)} end
        redis.call('FLUSHALL') for _, entry in ipairs(all) do redis.call('SET', 'kept:' .. entry[1], entry[2]) end return #all`;
      await client.eval(script, 0);
      await delay(2500);
      const back = `for _, key in ipairs(redis.call('KEYS', 'kept:*')) do local name = string.sub(key, 6)
        redis.call('RESTORE', name, 0, redis.call('GET', key), 'REPLACE') redis.call('DEL', key) end`;
      await client.eval(back, 0);
    },
  },
  {
    name: 'failover ordered',
    possible: withSentinel,
    async inject(target) {
      await until(
        'a failover may begin',
        () =>
          target.sentinel!.call('SENTINEL', 'FAILOVER', 'main').then(
            () => true,
            () => false,
          ),
        60_000,
      );
      await delay(2000);
      await replicated(target);
    },
  },
  {
    name: 'primary killed',
    possible: withSentinel,
    async inject(target) {
      const primary = await primaryOf(target);
      await target.nodes[primary]!.kill();
      await until('another primary is named', async () => (await primaryOf(target)) !== primary, 60_000);
      await target.nodes[primary]!.start();
      await replicated(target);
    },
  },
  {
    name: 'primary paused until it is replaced',
    possible: withSentinel,
    async inject(target) {
      const primary = await primaryOf(target);
      await target.nodes[primary]!.kill('SIGSTOP');
      await until('another primary is named', async () => (await primaryOf(target)) !== primary, 60_000);
      await target.nodes[primary]!.kill('SIGCONT');
      await replicated(target);
    },
  },
  {
    name: 'primary of the cluster killed',
    possible: isCluster,
    async inject(target, random) {
      const primaries = await clusterPrimaries(target);
      const victim = random.pick(primaries);
      await target.nodes[victim]!.kill();
      await until(
        'a replica takes over',
        async () => {
          const now = await clusterPrimaries(target);
          return now.length === 3 && !now.includes(victim);
        },
        60_000,
      );
      await target.nodes[victim]!.start();
      await until('the cluster is whole', () => clusterWhole(target), 60_000);
    },
  },
  {
    name: 'slot moved',
    possible: isCluster,
    inject: moveSlot,
  },
];

/** Runs a tool, which must succeed; on a busy machine a store may not answer it in time. */
async function orch(...argv: string[]): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const {code, stdout, stderr} = await runOrch(argv, {timeoutMillis: 60_000});
    if (code === 0) return;
    if (attempt === 5 || !/cannot be reached/.test(stderr))
      throw new Error(`orch ${argv.join(' ')}: exit code ${code}: ${stdout}${stderr}`);
  }
}

/** Position of the node that the sentinels name. */
async function primaryOf({sentinel, nodes}: Target): Promise<number> {
  const [, port] = (await sentinel!.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'main')) as [string, string];
  return nodes.findIndex((node) => node.port === Number(port));
}

async function replicated(target: Target): Promise<void> {
  await until(
    'all replicas are connected',
    async () => {
      const primary = await primaryOf(target);
      const text = await target.clients[primary]!.info('replication');
      return /role:master/.test(text) && (text.match(/state=online/g) ?? []).length === 2;
    },
    60_000,
  );
}

async function clusterPrimaries({nodes, clients}: Target): Promise<number[]> {
  const found: number[] = [];
  for (const [index, node] of nodes.entries()) {
    if (!(await alive(node.pid))) continue;
    const slots = (await clients[index]!.cluster('SHARDS').catch(() => [])) as unknown;
    if (Array.isArray(slots) && /role:master/.test(await clients[index]!.info('replication').catch(() => ''))) found.push(index);
  }
  return found;
}

async function alive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function clusterWhole(target: Target): Promise<boolean> {
  const primaries = await clusterPrimaries(target);
  if (primaries.length !== 3) return false;
  for (const index of primaries) {
    const text = await target.clients[index]!.info('replication');
    if (!/state=online/.test(text) || !/cluster_state:ok/.test(await target.clients[index]!.cluster('INFO'))) return false;
  }
  return true;
}

/** Moves the slot of a shard to another primary while it is written to. */
async function moveSlot(target: Target, random: Random): Promise<void> {
  const {clients, nodes} = target;
  const primaries = await clusterPrimaries(target);
  const {head} = new Placement('namespaces', clusterShards).keysOf('orch', random.below(clusterShards));
  const slot = await clients[0]!.cluster('KEYSLOT', head);
  const counts = await Promise.all(primaries.map((index) => clients[index]!.cluster('COUNTKEYSINSLOT', slot)));
  const from = primaries[counts.findIndex((count) => Number(count) > 0)];
  if (from === undefined) return;
  const to = random.pick(primaries.filter((index) => index !== from));
  const [fromId, toId] = (await Promise.all([clients[from]!.cluster('MYID'), clients[to]!.cluster('MYID')])) as [string, string];
  await clients[to]!.cluster('SETSLOT', slot, 'IMPORTING', fromId);
  await clients[from]!.cluster('SETSLOT', slot, 'MIGRATING', toId);
  for (;;) {
    const keys = (await clients[from]!.cluster('GETKEYSINSLOT', slot, 10)) as string[];
    if (keys.length === 0) break;
    for (const key of keys) {
      await clients[from]!.migrate('127.0.0.1', nodes[to]!.port, key, 0, 5000);
      await delay(10);
    }
  }
  for (const index of [to, from, ...primaries.filter((other) => other !== to && other !== from)]) {
    await clients[index]!.cluster('SETSLOT', slot, 'NODE', toId);
  }
}
