import type {ExecutionContext} from 'ava';
import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, readFile, rm} from 'node:fs/promises';
import {connect} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {Redis} from 'ioredis';
import {freePort} from './free-port.js';

export interface RedisServerOptions {
  /** Every write is in the append-only file, synced, before it is answered: nothing answered is lost by `kill`. */
  readonly appendonly?: boolean;
  /** Further settings as on the command line of redis-server, for example `['--requirepass', 'secret']`. */
  readonly args?: readonly string[];
  /** A configuration file to start with; Sentinel needs one that it can write to. */
  readonly config?: string;
  /** PEM files for a second, encrypted port. */
  readonly tls?: {readonly key: string; readonly certificate: string};
}

/** A redis-server process of the test's own, on a free port of 127.0.0.1, with a folder of its own. */
export interface RedisServer {
  /** `redis://127.0.0.1:PORT`; stays the same across restarts. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** The encrypted port, when `tls` was given; else 0. */
  readonly tlsPort: number;
  /** Sends a signal, SIGKILL by default; waits for the end of the process when the signal ends it. SIGSTOP pauses, SIGCONT resumes. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Ends the process with SIGKILL if it runs and starts it again on the same port and folder: with `appendonly` on the same data. */
  restart(): Promise<void>;
  /** Starts the process again after `kill` or `stop`. */
  start(): Promise<void>;
  /** Ends the process in good order. */
  stop(): Promise<void>;
  /** A client of the test's own, closed at the end of the test. */
  client(): Redis;
}

/**
 * Starts redis-server and waits until it answers. It is ended, and its folder removed, by `t.teardown`; a server for a
 * whole file is started in a hook that hands in another way to remember what is to be done at the end.
 */
export async function startRedis(t: Pick<ExecutionContext, 'teardown'>, options: RedisServerOptions = {}): Promise<RedisServer> {
  const dir = await mkdtemp(join(tmpdir(), 'orch-redis-'));
  const server = new RedisProcess(dir, options);
  t.teardown(async () => {
    await server.dispose();
    await rm(dir, {recursive: true, force: true});
  });
  // Another process may take the port between the choice and the start.
  for (let attempt = 1; ; attempt++) {
    server.port = await freePort();
    if (options.tls !== undefined) server.tlsPort = await freePort();
    try {
      await server.start();
      return server;
    } catch (error) {
      if (attempt === 5 || !/in use/.test((error as Error).message)) throw error;
    }
  }
}

class RedisProcess implements RedisServer {
  port = 0;
  tlsPort = 0;
  #process: ChildProcess | undefined;
  readonly #clients: Redis[] = [];

  constructor(
    private readonly dir: string,
    private readonly options: RedisServerOptions,
  ) {}

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  async start(): Promise<void> {
    const logFile = join(this.dir, 'redis.log');
    const {appendonly = false, args = [], config, tls} = this.options;
    const settings = ['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.dir, '--logfile', logFile];
    // Sentinel keeps no data and refuses these.
    if (!args.includes('--sentinel')) settings.push('--save', '', '--appendonly', appendonly ? 'yes' : 'no', '--appendfsync', 'always');
    if (tls !== undefined) {
      settings.push(
        '--tls-port',
        String(this.tlsPort),
        '--tls-key-file',
        tls.key,
        '--tls-cert-file',
        tls.certificate,
        '--tls-auth-clients',
        'no',
      );
    }
    const child = spawn('redis-server', [...(config === undefined ? [] : [config]), ...settings, ...args], {stdio: 'ignore'});
    this.#process = child;
    let failure: Error | undefined;
    child.once('error', (error: NodeJS.ErrnoException) => {
      failure = error.code === 'ENOENT' ? new Error('redis-server is not installed: install the package redis-server') : error;
    });
    const deadline = Date.now() + 10_000;
    while (!(await answers(this.port))) {
      if (failure !== undefined) throw failure;
      if (child.exitCode !== null || Date.now() > deadline) {
        const log = await readFile(logFile, 'utf8').catch(() => '');
        throw new Error(`redis-server did not start: ${log.slice(-1000)}`);
      }
      await sleep(5);
    }
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    if (signal !== 'SIGSTOP' && signal !== 'SIGCONT') await exited;
  }

  async restart(): Promise<void> {
    await this.kill();
    await this.start();
  }

  async stop(): Promise<void> {
    // A paused process does not notice that it is to end.
    await this.kill('SIGCONT');
    await this.kill('SIGTERM');
  }

  client(): Redis {
    const client = new Redis({port: this.port, host: '127.0.0.1', retryStrategy: () => 20, maxRetriesPerRequest: null});
    // While the server is away on purpose, failed attempts to connect are expected.
    client.on('error', () => undefined);
    this.#clients.push(client);
    return client;
  }

  async dispose(): Promise<void> {
    for (const client of this.#clients) client.disconnect();
    await this.kill('SIGKILL');
  }
}

/** Whether a server on the port has started and loaded its data. An error other than LOADING counts as an answer. */
async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    socket.write('PING\r\n');
    const [data] = (await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [''])])) as [Buffer | string];
    return /^(\+PONG|-(?!LOADING))/.test(data.toString());
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
