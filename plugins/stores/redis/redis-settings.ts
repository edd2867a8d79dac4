import {addressText, parseRedisUrl, type Address} from './redis-url.js';

/** Settings of the store: the URL of `--store`, completed by the plugin's configuration. */
export interface RedisSettings {
  readonly topology: 'single' | 'sentinel' | 'cluster';
  /** The server; with Sentinel the sentinels; with a cluster some of its nodes. At least one. */
  readonly addresses: readonly Address[];
  /** With Sentinel, the name of the primary. */
  readonly primaryName: string | undefined;
  readonly tls: {readonly caFile?: string; readonly certFile?: string; readonly keyFile?: string} | undefined;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly passwordFile: string | undefined;
  readonly database: number;
  readonly driver: 'ioredis' | 'redis';
  readonly keyPrefix: string;
  /** Undefined when it was not asked for: the stored count holds, or the default for a new store. */
  readonly shards: number | undefined;
  /** A commit is acknowledged once this many replicas have received it. 0 = as soon as the primary has it. */
  readonly waitReplicas: number;
  readonly waitMillis: number;
  /** Nobody is shown what that many replicas do not have. */
  readonly confirmReads: boolean;
  /** Durability that Redis must guarantee for answered writes; a server that does not is rejected. */
  readonly requireDurability: 'always' | 'everysec' | 'none';
  /** Bytes that the log of a shard may hold; less where the memory of Redis is small. */
  readonly historyBytes: number;
  /** How long a request may wait for Redis, and for a connection to come back, before it is refused. */
  readonly commandMillis: number;
}

/** Shards of a new store: in a cluster enough to spread its load over 2, 3 or 6 nodes evenly, few enough to be asked together. */
export function defaultShards({topology}: RedisSettings): number {
  return topology === 'cluster' ? 6 : 1;
}

/** Identity of the store in the data directory: its address, without credentials. */
export function storeIdentity({topology, addresses, primaryName, database, keyPrefix}: RedisSettings): string {
  return `${topology} ${addresses.map(addressText).toSorted().join(',')}/${primaryName ?? ''} ${database} ${keyPrefix}`;
}

/**
 * Combines the URL with the plugin's configuration; the URL takes precedence. Throws an error with one clear sentence.
 * `config` was validated against the manifest.
 */
export function redisSettings(url: string, config: Readonly<Record<string, unknown>>): RedisSettings {
  const target = parseRedisUrl(url);
  const text = (name: string): string | undefined => (typeof config[name] === 'string' && config[name] !== '' ? config[name] : undefined);
  const integer = (name: string): number | undefined => (typeof config[name] === 'number' ? config[name] : undefined);

  const driver = target.driver ?? text('driver') ?? 'ioredis';
  if (driver !== 'ioredis' && driver !== 'redis') throw new Error(`unknown Redis driver "${driver}": there are "ioredis" and "redis"`);
  const keyPrefix = target.keyPrefix ?? text('keyPrefix') ?? 'orch';
  // Braces would make another hash tag than the one that keeps the keys of a shard together.
  if (!/^[\w.:/-]{1,100}$/.test(keyPrefix)) {
    throw new Error(`the Redis key prefix "${keyPrefix}" must consist of 1 to 100 letters, digits and the characters . _ : / -`);
  }
  const shards = target.shards ?? integer('shards');
  if (shards !== undefined && !(Number.isInteger(shards) && shards >= 1 && shards <= 1024)) {
    throw new Error('the number of Redis shards must be an integer from 1 to 1024');
  }
  const waitReplicas = target.waitReplicas ?? integer('waitReplicas') ?? 0;
  const confirmReads = config['confirmReads'] === true;
  if (confirmReads && waitReplicas === 0) {
    throw new Error(
      'reads cannot be confirmed by replicas while no replica is waited for: --redis-confirm-reads needs --redis-wait-replicas',
    );
  }
  return {
    topology: target.topology,
    addresses: target.addresses,
    primaryName: target.primaryName,
    tls: target.tls ? {caFile: text('caFile'), certFile: text('certFile'), keyFile: text('keyFile')} : undefined,
    username: target.username,
    password: target.password,
    passwordFile: text('passwordFile'),
    database: target.database,
    driver,
    keyPrefix,
    shards,
    waitReplicas,
    waitMillis: integer('waitMillis') ?? 1000,
    confirmReads,
    requireDurability: (text('requireDurability') as RedisSettings['requireDurability'] | undefined) ?? 'none',
    historyBytes: (integer('historyMebibytes') ?? 256) * 1024 * 1024,
    commandMillis: integer('commandMillis') ?? 2000,
  };
}
