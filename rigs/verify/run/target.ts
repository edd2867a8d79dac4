import type {Redis} from 'ioredis';
import type {RedisServer} from '../../../test/helpers/redis-server.js';
import type {VerifyProxy} from './verify-proxy.js';
import type {VerifyServer} from './verify-server.js';

/** Shards of a store in a cluster. */
export const clusterShards = 4;

/** A store under verification with its servers, and what can be done to them. */
export interface Target {
  readonly name: string;
  readonly servers: readonly VerifyServer[];
  /** Processes of Redis that hold data. */
  readonly nodes: readonly RedisServer[];
  /** Between each server and its Redis, where there is one Redis. */
  readonly proxies: readonly VerifyProxy[];
  /** For each node, as `nodes`. */
  readonly clients: readonly Redis[];
  readonly sentinel?: Redis;
  /** A folder of a small file system, in which the embedded store lives. */
  readonly smallDisk?: string;
  readonly historyMillis: number;
  /** The value of `--store` of the first server, for the tools. */
  readonly store: string;
}

export interface TargetOptions {
  readonly servers: number;
  readonly historyMillis: number;
  readonly fakeTime?: string;
}
