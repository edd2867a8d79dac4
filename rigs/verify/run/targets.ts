import {execFileSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {until} from '../../../test/helpers/eventually.js';
import {startRedis, type RedisServer} from '../../../test/helpers/redis-server.js';
import {tempFolder, type Teardown} from '../../../test/helpers/temp-folder.js';
import {clusterShards, type Target, type TargetOptions} from './target.js';
import {VerifyProxy} from './verify-proxy.js';
import {VerifyServer} from './verify-server.js';

/** Builds the stores that can be verified, without starting the servers. */
export const targets: Readonly<Record<string, (t: Teardown, options: TargetOptions) => Promise<Target>>> = {
  embedded,
  redis,
  sentinel,
  cluster,
};

const patience = {'redis-command-timeout': 1000};
const smallDiskBytes = 48 * 1024 * 1024;

async function embedded(t: Teardown, {historyMillis, fakeTime}: TargetOptions): Promise<Target> {
  const folder = tempFolder(t, 'orch-verify-');
  const smallDisk = mountSmall(t, folder);
  const dataDir = join(smallDisk ?? folder, 'data');
  mkdirSync(dataDir, {recursive: true});
  const server = new VerifyServer('s0', {store: 'embedded', dataDir, historyMillis, flags: {}}, fakeTime);
  t.teardown(() => server.end());
  return {
    name: 'embedded',
    servers: [server],
    nodes: [],
    proxies: [],
    clients: [],
    historyMillis,
    store: 'embedded',
    ...(smallDisk === undefined ? {} : {smallDisk}),
  };
}

async function redis(t: Teardown, options: TargetOptions): Promise<Target> {
  const node = await startRedis(t, {appendonly: true});
  const proxies = await Promise.all(Array.from({length: options.servers}, () => VerifyProxy.start(t, node.port)));
  const servers = serversOf(t, options, (index) => `redis://127.0.0.1:${proxies[index]!.port}`, patience);
  const {historyMillis} = options;
  return {
    name: 'redis',
    servers,
    nodes: [node],
    proxies,
    clients: [node.client()],
    historyMillis,
    store: `redis://127.0.0.1:${proxies[0]!.port}`,
  };
}

/** All replicas are awaited: Sentinel may promote any of them. */
async function sentinel(t: Teardown, options: TargetOptions): Promise<Target> {
  const args = ['--repl-diskless-sync-delay', '0'];
  const nodes = await Promise.all([0, 1, 2].map(() => startRedis(t, {args, appendonly: true})));
  const clients = nodes.map((node) => node.client());
  for (const client of clients.slice(1)) {
    await client.replicaof('127.0.0.1', String(nodes[0]!.port));
    await until('the replica is connected', async () => /master_link_status:up/.test(await client.info('replication')));
  }
  const watchers: RedisServer[] = [];
  for (let index = 0; index < 3; index++) {
    const config = join(tempFolder(t, 'orch-sentinel-'), 'sentinel.conf');
    writeFileSync(
      config,
      `sentinel monitor main 127.0.0.1 ${nodes[0]!.port} 2\nsentinel down-after-milliseconds main 1000\nsentinel failover-timeout main 4000\n`,
    );
    watchers.push(await startRedis(t, {config, args: ['--sentinel']}));
  }
  const admin = watchers[0]!.client();
  await until('the sentinels know all', async () => /slaves=2,sentinels=3/.test(await admin.info('sentinel')), 60_000);
  const store = `redis+sentinel://${watchers.map(({port}) => `127.0.0.1:${port}`).join(',')}/main`;
  const servers = serversOf(t, options, () => store, {...patience, 'redis-wait-replicas': 2, 'redis-confirm-reads': true});
  return {name: 'sentinel', servers, nodes, proxies: [], clients, sentinel: admin, historyMillis: options.historyMillis, store};
}

async function cluster(t: Teardown, options: TargetOptions): Promise<Target> {
  const args = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '2000', '--repl-diskless-sync-delay', '0'];
  const nodes = await Promise.all([0, 1, 2, 3, 4, 5].map(() => startRedis(t, {args, appendonly: true})));
  const clients = nodes.map((node) => node.client());
  const bounds = [0, 5461, 10_923, 16_384];
  for (let index = 0; index < 3; index++) await clients[index]!.cluster('ADDSLOTSRANGE', bounds[index]!, bounds[index + 1]! - 1);
  for (const [index, client] of clients.entries()) await client.call('CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1));
  for (const node of nodes.slice(1)) await clients[0]!.cluster('MEET', '127.0.0.1', node.port);
  for (const client of clients)
    await until('all nodes are known', async () => /cluster_known_nodes:6/.test(await client.cluster('INFO')), 60_000);
  for (let index = 3; index < 6; index++) {
    const id = (await clients[index - 3]!.cluster('MYID')) as string;
    await until('the replica follows', async () => (await clients[index]!.cluster('REPLICATE', id).catch(() => '')) === 'OK', 60_000);
    await until('the replica is connected', async () => /master_link_status:up/.test(await clients[index]!.info('replication')), 60_000);
  }
  for (const client of clients)
    await until('the cluster is ready', async () => /cluster_state:ok/.test(await client.cluster('INFO')), 60_000);
  const store = `redis://${nodes.map(({port}) => `127.0.0.1:${port}`).join(',')}?cluster=1&shards=${clusterShards}`;
  const servers = serversOf(t, options, () => store, {...patience, 'redis-wait-replicas': 1, 'redis-confirm-reads': true});
  return {name: 'cluster', servers, nodes, proxies: [], clients, historyMillis: options.historyMillis, store};
}

function serversOf(
  t: Teardown,
  {servers, historyMillis, fakeTime}: TargetOptions,
  store: (index: number) => string,
  flags: Readonly<Record<string, unknown>>,
): VerifyServer[] {
  return Array.from({length: servers}, (_, index) => {
    const dataDir = join(tempFolder(t, 'orch-verify-'), 'data');
    mkdirSync(dataDir, {recursive: true});
    const server = new VerifyServer(`s${index}`, {store: store(index), dataDir, historyMillis, flags}, fakeTime);
    t.teardown(() => server.end());
    return server;
  });
}

/** A file system of a few megabytes, where this machine allows it. */
function mountSmall(t: Teardown, folder: string): string | undefined {
  const place = join(folder, 'small');
  mkdirSync(place);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${smallDiskBytes}`, 'tmpfs', place], {stdio: 'ignore'});
  } catch {
    return undefined;
  }
  t.teardown(() => void execFileSync('umount', ['--lazy', place], {stdio: 'ignore'}));
  return place;
}
