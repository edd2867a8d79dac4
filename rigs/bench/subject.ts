import type {ExecutionContext} from 'ava';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {spawnOrch, type OrchProcess} from '../../test/helpers/orch-process.js';
import {startRedis, type RedisServer} from '../../test/helpers/redis-server.js';
import {adminTarget, authorityKey, onlyUser, type ApiDomain} from './bench-users.js';
import type {BenchOptions, SubjectName} from './options.js';
import {median} from './percentile.js';
import {cpuSeconds, residentMegabytes} from './process-usage.js';
import {inspectable} from './inspector.js';
import type {Target} from './work.js';

/** Start-up times in seconds: the middle of several starts. */
export interface StartTimes {
  /** On an empty data directory: certificates are made. */
  readonly first: number;
  readonly again: number;
}

/** What is measured: one or more server processes and where to send requests. */
export interface Subject {
  readonly name: string;
  readonly targets: readonly Target[];
  /** None where there are no API groups. */
  readonly domain?: ApiDomain;
  /** Makes a user known whom RBAC allows everything and flow control limits. */
  limitedUser(): Promise<Target>;
  readonly starts: StartTimes | undefined;
  /** Those of Orch, whose work can be looked into; none where it is another server. */
  readonly servers: readonly OrchProcess[];
  /** CPU seconds of all server processes so far. */
  cpu(): number;
  /** Resident MB now and at most: of the server processes, and of Redis where there is one. */
  memory(): {servers: {now: number; peak: number}; redis: number | undefined};
  close(): Promise<void>;
}

async function measureStarts(runs: number, store: string | undefined, redis: RedisServer | undefined): Promise<StartTimes> {
  const first: number[] = [];
  const again: number[] = [];
  for (let run = 0; run < runs; run++) {
    const dataDir = mkdtempSync(join(tmpdir(), 'orch-bench-'));
    try {
      await redis?.client().flushall();
      for (const times of [first, again]) {
        const orch = await spawnOrch({dataDir, ...(store === undefined ? {} : {store})});
        times.push(orch.readyMillis / 1000);
        await orch.stop();
      }
    } finally {
      rmSync(dataDir, {recursive: true, force: true});
    }
  }
  await redis?.client().flushall();
  return {first: median(first), again: median(again)};
}

/** Flags for servers of several builds, which may not know each other's controllers by name. */
export const controllersOfAnyBuild: readonly string[] = ['--controllers=*'];

/** Starts the servers of a store. @param program command line of another build. @param flags further ones of each. Everything is ended by `close`, and when the start fails. */
export async function startSubject(
  name: Exclude<SubjectName, 'floor'>,
  options: Pick<BenchOptions, 'otherProgram' | 'redisFsync' | 'starts'>,
  program?: string,
  flags: readonly string[] = [],
): Promise<Subject> {
  const cleanups: (() => void | Promise<void>)[] = [];
  // All that the helper asks of a test is a place for its cleanup.
  const t = {teardown: (cleanup: () => void | Promise<void>) => cleanups.push(cleanup)} as unknown as ExecutionContext;
  const redis = name.startsWith('redis') ? await startRedis(t, {appendonly: true, args: ['--appendfsync', options.redisFsync]}) : undefined;
  const servers: OrchProcess[] = [];
  const close = async () => {
    for (const server of servers) await server.stop();
    for (const cleanup of cleanups) await cleanup();
  };
  try {
    const store = redis?.url ?? (name === 'memory' ? 'memory' : undefined);
    const extra = options.otherProgram === undefined ? flags : [...controllersOfAnyBuild, ...flags];
    // The pair differs from one server on Redis in the watch alone.
    const starts = name === 'redis-pair' || options.starts === 0 ? undefined : await measureStarts(options.starts, store, redis);
    for (let count = name === 'redis-pair' ? 2 : 1; count > 0; count--) {
      servers.push(
        await spawnOrch({
          env: inspectable,
          ...(store === undefined ? {} : {store}),
          ...(program === undefined ? {} : {program}),
          extra,
        }),
      );
    }
    // Idle is what remains once start-up has settled.
    await sleep(1_000);
    const pids = servers.map((server) => server.pid);
    return {
      name: program === undefined ? name : `${name}, other`,
      targets: servers.map(adminTarget),
      domain: 'orch',
      limitedUser: () => onlyUser(adminTarget(servers[0]!), authorityKey(servers[0]!), 'orch'),
      starts,
      servers,
      cpu: () => cpuSeconds(redis ? [...pids, redis.pid] : pids),
      memory: () => {
        const all = pids.map(residentMegabytes);
        const sum = (member: 'now' | 'peak') => all.reduce((total, memory) => total + memory[member], 0);
        return {servers: {now: sum('now'), peak: sum('peak')}, redis: redis ? residentMegabytes(redis.pid).now : undefined};
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
