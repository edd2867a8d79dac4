import {fork, type ChildProcess} from 'node:child_process';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {cpuSeconds} from '../bench/process-usage.js';
import {startRedis} from '../../test/helpers/redis-server.js';
import {openStore} from '../../test/plugins/stores/redis/open-store.js';
import type {FollowerReport, FollowerTarget} from './follower-process.js';
import {WriteLoad} from './write-load.js';

/** What following costs where so many servers share a Redis. */
export interface FollowersCase {
  readonly servers: number;
  /** Whether somebody asks each server for the type that is written. */
  readonly asked: boolean;
  /** Microseconds of Redis for each write, with all that it hands on. */
  readonly redisPerWrite: number;
  /** Microseconds of one server for each write of others. */
  readonly serverPerWrite: number;
  /** Writes a second that were made meanwhile, on this machine, with all servers on it. */
  readonly rate: number;
  /** Share of a core while nothing is written: of Redis, and of one server's following. */
  readonly redisIdle: number;
  readonly serverIdle: number;
}

const perProcess = 125;

/** The processes that follow. */
class Followers {
  readonly #children: ChildProcess[] = [];
  readonly #reached = new Map<ChildProcess, number>();
  #changed: () => void = () => undefined;

  get pids(): number[] {
    return this.#children.map((child) => child.pid!);
  }

  async start(url: string, servers: number, asked: boolean): Promise<void> {
    for (let left = servers; left > 0; left -= perProcess) {
      const file = fileURLToPath(new URL('./follower-process.js', import.meta.url));
      const child = fork(file, [url, String(Math.min(left, perProcess)), asked ? 'asked' : 'unasked'], {
        execArgv: ['--max-semi-space-size=8'],
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      this.#children.push(child);
      await new Promise<void>((resolve, reject) => {
        child.once('exit', () => reject(new Error('a process that follows has ended')));
        child.on('message', (report: FollowerReport) => {
          if ('following' in report) return resolve();
          this.#reached.set(child, report.reached);
          this.#changed();
        });
      });
    }
  }

  /** Resolves when all have seen a revision. */
  async reach(revision: number): Promise<void> {
    for (const child of this.#children) child.send({target: revision} satisfies FollowerTarget);
    while (this.#children.some((child) => (this.#reached.get(child) ?? 0) < revision)) {
      await new Promise<void>((resolve) => (this.#changed = resolve));
    }
  }

  async stop(): Promise<void> {
    await Promise.all(
      this.#children.map(
        (child) =>
          new Promise<void>((resolve) => {
            child.removeAllListeners('exit').once('exit', () => resolve());
            child.kill('SIGKILL');
          }),
      ),
    );
  }
}

/** Writes of one server, followed by `servers` servers: real stores over a real Redis, without the servers around them. */
export async function measureFollowers(servers: number, asked: boolean, writes: number): Promise<FollowersCase> {
  const cleanups: (() => unknown)[] = [];
  try {
    const redis = await startRedis(
      {teardown: (cleanup) => void cleanups.unshift(cleanup)},
      {appendonly: true, args: ['--appendfsync', 'everysec', '--maxclients', '20000']},
    );
    const writer = await openStore(redis.url);
    cleanups.unshift(() => writer.close());
    const load = new WriteLoad(writer);
    await load.run(2000);
    const followers = new Followers();
    cleanups.unshift(() => followers.stop());
    await followers.start(redis.url, servers, asked);
    const round = async (count: number) => followers.reach(await load.run(count));
    await round(Math.ceil(writes / 5));
    await sleep(2_000);
    const usage = () => ({redis: cpuSeconds([redis.pid]), servers: cpuSeconds(followers.pids), at: performance.now()});
    const resting = usage();
    await sleep(10_000);
    const before = usage();
    await round(writes);
    const after = usage();
    const idleSeconds = (before.at - resting.at) / 1000;
    return {
      servers,
      asked,
      redisPerWrite: ((after.redis - before.redis) * 1e6) / writes,
      serverPerWrite: ((after.servers - before.servers) * 1e6) / writes / servers,
      rate: writes / ((after.at - before.at) / 1000),
      redisIdle: (before.redis - resting.redis) / idleSeconds,
      serverIdle: (before.servers - resting.servers) / idleSeconds / servers,
    };
  } finally {
    for (const cleanup of cleanups) await cleanup();
  }
}
