import type {ExecutionContext} from 'ava';
import {setTimeout as sleep} from 'node:timers/promises';
import type {Redis} from 'ioredis';
import {until} from './eventually.js';
import {startRedis, type RedisServer} from './redis-server.js';

/** Primaries of a Redis Cluster, each with an equal part of the slots, in order. */
export interface RedisCluster {
  readonly nodes: readonly RedisServer[];
  readonly clients: readonly Redis[];
  /** Addresses of all nodes, for the URL of a store. */
  readonly addresses: string;
  /** Position of the node that owns the slot of a key. */
  ownerOf(key: string): Promise<number>;
  /** Begins to move the slot of a key. */
  beginMove(key: string, to: number): Promise<SlotMove>;
}

/** A slot on its way, one step at a time. */
export interface SlotMove {
  /** Moves all keys, one after the other, with a pause after each. */
  moveKeys(pauseMillis: number): Promise<void>;
  /** Tells all nodes that the slot has moved. */
  finish(): Promise<void>;
}

/** Starts primaries without replicas and joins them. */
export async function startRedisCluster(
  t: Pick<ExecutionContext, 'teardown'>,
  primaries: number,
  args: readonly string[] = [],
): Promise<RedisCluster> {
  const settings = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '2000', ...args];
  const nodes = await Promise.all(Array.from({length: primaries}, () => startRedis(t, {args: settings})));
  const clients = nodes.map((node) => node.client());
  const bound = (index: number) => Math.floor((index * 16_384) / primaries);
  await Promise.all(clients.map((client, index) => client.cluster('ADDSLOTSRANGE', bound(index), bound(index + 1) - 1)));
  for (const [index, client] of clients.entries()) await client.call('CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1));
  for (const node of nodes.slice(1)) await clients[0]!.cluster('MEET', '127.0.0.1', node.port);
  for (const client of clients) {
    await until('the cluster is ready', async () => {
      const info = await client.cluster('INFO');
      return /cluster_state:ok/.test(info) && info.includes(`cluster_known_nodes:${primaries}`);
    });
  }
  return new Cluster(nodes, clients);
}

class Cluster implements RedisCluster {
  constructor(
    readonly nodes: readonly RedisServer[],
    readonly clients: readonly Redis[],
  ) {}

  get addresses(): string {
    return this.nodes.map(({port}) => `127.0.0.1:${port}`).join(',');
  }

  async ownerOf(key: string): Promise<number> {
    const slot = await this.clients[0]!.cluster('KEYSLOT', key);
    const ranges = (await this.clients[0]!.cluster('SLOTS')) as unknown as [number, number, [string, number]][];
    const [, , [, port]] = ranges.find(([from, to]) => slot >= from && slot <= to)!;
    return this.nodes.findIndex((node) => node.port === port);
  }

  async beginMove(key: string, to: number): Promise<SlotMove> {
    const from = await this.ownerOf(key);
    const [source, target] = [this.clients[from]!, this.clients[to]!];
    const slot = await source.cluster('KEYSLOT', key);
    const [sourceId, targetId] = (await Promise.all([source.cluster('MYID'), target.cluster('MYID')])) as [string, string];
    await target.cluster('SETSLOT', slot, 'IMPORTING', sourceId);
    await source.cluster('SETSLOT', slot, 'MIGRATING', targetId);
    return {
      moveKeys: async (pauseMillis) => {
        for (;;) {
          const keys = await source.cluster('GETKEYSINSLOT', slot, 10);
          if (keys.length === 0) return;
          for (const one of keys) {
            await source.migrate('127.0.0.1', this.nodes[to]!.port, one, 0, 5000);
            await sleep(pauseMillis);
          }
        }
      },
      finish: async () => {
        const others = this.clients.filter((client) => client !== source && client !== target);
        for (const client of [target, source, ...others]) await client.cluster('SETSLOT', slot, 'NODE', targetId);
      },
    };
  }
}
