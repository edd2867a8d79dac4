import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync} from 'node:fs';
import {connect, createServer, type AddressInfo, type Socket} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';

/** A Redis server that belongs to the benchmark. */
export interface BenchRedis {
  readonly url: string;
  readonly pid: number;
  /** Removes all data. */
  empty(): Promise<void>;
  stop(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const {port} = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Sends one command without binary arguments and answers the first line of the reply. */
async function command(port: number, words: string): Promise<string> {
  const socket: Socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    socket.write(`${words}\r\n`);
    const [reply] = (await once(socket, 'data')) as [Buffer];
    return reply.toString('utf8').split('\r\n', 1)[0]!;
  } finally {
    socket.destroy();
  }
}

/** Starts a Redis server with an append-only file on a free port of the loopback and waits until it answers. */
export async function startBenchRedis(fsync: 'always' | 'everysec'): Promise<BenchRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'orch-bench-redis-'));
  const port = await freePort();
  const child = spawn(
    'redis-server',
    ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, '--save', '', '--appendonly', 'yes', '--appendfsync', fsync],
    {stdio: 'ignore'},
  );
  let failure: Error | undefined;
  child.once('error', error => (failure = error));
  const ended = once(child, 'close').catch(() => undefined);
  const stop = async () => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await ended;
    }
    rmSync(folder, {recursive: true, force: true});
  };
  for (let attempt = 0; ; attempt++) {
    const pong = await command(port, 'PING').catch(() => undefined);
    if (pong === '+PONG') break;
    if (failure || child.exitCode !== null || attempt > 200) {
      await stop();
      throw new Error(`redis-server could not be started: ${failure?.message ?? `exit code ${child.exitCode}`}`);
    }
    await sleep(25);
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    pid: child.pid!,
    async empty() {
      await command(port, 'FLUSHALL');
    },
    stop,
  };
}
