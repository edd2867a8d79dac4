/** Where a server listens. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** A parsed store URL; see `parseRedisUrl`. */
export interface RedisUrl {
  readonly topology: 'single' | 'sentinel' | 'cluster';
  readonly tls: boolean;
  readonly addresses: readonly Address[];
  readonly primaryName: string | undefined;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly database: number;
  readonly driver: string | undefined;
  readonly keyPrefix: string | undefined;
  readonly shards: number | undefined;
  readonly waitReplicas: number | undefined;
}

const parameters = new Set(['driver', 'prefix', 'shards', 'cluster', 'wait-replicas']);

/**
 * Reads one of
 *
 *     redis://[user:password@]host[:port][/database][?…]             one server; rediss:// with TLS
 *     redis://[user:password@]host[:port][,host:port…]?cluster=1     some nodes of a Redis Cluster
 *     redis+sentinel://[user:password@]host[:port][,host:port…]/primary[/database]
 *
 * with the parameters driver=ioredis|redis, prefix=TEXT, shards=N, wait-replicas=N. Throws an error with one clear sentence.
 * WHATWG's URL cannot be used: it refuses several hosts.
 */
export function parseRedisUrl(url: string): RedisUrl {
  const shown = url.replace(/\/\/[^@/]*@/, '//…@');
  const fail = (problem: string): never => {
    throw new Error(`the store URL ${shown} is not valid: ${problem}`);
  };
  const match = /^redis(s?)(\+sentinel)?:\/\/(?:([^@/?#]*)@)?([^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/.exec(url);
  if (match === null) return fail('it must look like redis://host:port/database');
  const [, secure, sentinel, userInfo, hosts, path = '', query = ''] = match;

  const search = new URLSearchParams(query);
  for (const name of search.keys()) {
    if (!parameters.has(name)) fail(`there is no parameter "${name}" (there are ${[...parameters].join(', ')})`);
  }
  const count = (name: string): number | undefined => {
    const value = search.get(name);
    if (value === null) return undefined;
    return /^\d{1,9}$/.test(value) ? Number(value) : fail(`"${name}" must be a number`);
  };

  const cluster = /^(1|true)$/.test(search.get('cluster') ?? '');
  if (sentinel !== undefined && cluster) fail('it names both Sentinel and a cluster');
  const addresses = (hosts ?? '')
    .split(',')
    .map((text) => parseAddress(text, sentinel === undefined ? 6379 : 26379) ?? fail(`"${text}" is no host and port`));
  if (addresses.length > 1 && sentinel === undefined && !cluster) fail('several hosts need redis+sentinel:// or ?cluster=1');

  const segments = path.split('/').slice(1).map(decode);
  const primaryName =
    sentinel === undefined ? undefined : segments.shift() || fail('the name of the primary is missing (redis+sentinel://host:port/NAME)');
  const database = segments.shift() || '0';
  if (!/^\d{1,5}$/.test(database) || segments.some((segment) => segment !== '')) fail('the database must be a number');
  if (cluster && database !== '0') fail('a cluster has only database 0');

  const [user, ...rest] = (userInfo ?? '').split(':');
  return {
    topology: cluster ? 'cluster' : sentinel === undefined ? 'single' : 'sentinel',
    tls: secure === 's',
    addresses,
    primaryName,
    username: user ? decode(user) : undefined,
    password: rest.length > 0 ? decode(rest.join(':')) : undefined,
    database: Number(database),
    driver: search.get('driver') ?? undefined,
    keyPrefix: search.get('prefix') ?? undefined,
    shards: count('shards'),
    waitReplicas: count('wait-replicas'),
  };
}

function parseAddress(text: string, defaultPort: number): Address | undefined {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text);
  if (match === null) return undefined;
  const port = match[3] === undefined ? defaultPort : Number(match[3]);
  return port >= 1 && port <= 65535 ? {host: (match[1] ?? match[2])!, port} : undefined;
}

/** An address as people write it. */
export function addressText({host, port}: Address): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
