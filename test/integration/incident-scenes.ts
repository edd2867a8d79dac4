import type {ExecutionContext} from 'ava';
import {execFileSync} from 'node:child_process';
import {cpSync, existsSync, rmSync, writeFileSync} from 'node:fs';
import {connect, createServer, type AddressInfo, type Socket} from 'node:net';
import {join} from 'node:path';
import {run} from '#bundle/core/cli/run.js';
import type {ServerOptions} from '@orch-api/orch';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {until} from '../helpers/eventually.js';
import {startOrch} from '../helpers/orch-process.js';
import {recordingLogger} from '../helpers/recording-logger.js';
import {startRedis} from '../helpers/redis-server.js';
import {tempFolder, type Teardown} from '../helpers/temp-folder.js';

export const maps = '/api/v1/namespaces/default/configmaps';

/** An incident that has happened to a server, and what an operator sees and can do. */
export interface Scene {
  /** By the first column of a page's tables. */
  readonly see: Readonly<Record<string, () => string | Promise<string>>>;
  /** What the page's commands find in their environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Stops and starts the server, as systemd does. */
  readonly service?: Readonly<Record<'stop' | 'start', () => Promise<void>>>;
  /** Called after each command, for what the machine does by itself then. */
  afterCommand?(): void;
}

/** A server whose log is kept, and which can be stopped and started. */
class Place {
  readonly dataDir: string;
  readonly #log = recordingLogger();
  #server: TestServer | undefined;

  constructor(
    t: Teardown,
    readonly store: string,
    private readonly options: ServerOptions = {},
  ) {
    this.dataDir = tempFolder(t);
    t.teardown(() => this.#server?.stop());
  }

  get client() {
    return this.#server!.client;
  }

  async start(): Promise<void> {
    this.#server = await startTestServer({store: this.store, dataDir: this.dataDir, logger: this.#log.logger, ...this.options});
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
    this.#server = undefined;
  }

  async create(name: string): Promise<void> {
    const {status} = await this.client.post(maps, {metadata: {name}});
    if (status !== 201) throw new Error(`create: ${status}`);
  }

  async ask(method: 'get' | 'create', path: string): Promise<string> {
    const answer = await (method === 'get' ? this.client.get(path) : this.client.post(maps, {metadata: {name: path}}));
    return `${answer.status} ${answer.body.toString()}`;
  }

  scene(more: Partial<Scene> = {}): Scene {
    let made = 0;
    return {
      env: {STORE: this.store, DATA_DIR: this.dataDir, ...more.env},
      service: {stop: () => this.stop(), start: () => this.start()},
      ...(more.afterCommand === undefined ? {} : {afterCommand: more.afterCommand}),
      see: {
        log: () =>
          this.#log.lines
            .map(({message, fields}) => `${message} ${JSON.stringify(fields)} ${String((fields as {err?: Error}).err?.message)}`)
            .join('\n'),
        '/readyz?verbose': async () => (await this.client.get('/readyz?verbose')).body.toString(),
        '/metrics': async () => (await this.client.get('/metrics')).body.toString(),
        'a read': () => this.ask('get', `${maps}/one`),
        'a write': () => this.ask('create', `new-${++made}`),
        ...more.see,
      },
    };
  }
}

async function served(t: Teardown, store: string, options?: ServerOptions): Promise<Place> {
  const place = new Place(t, store, options);
  await place.start();
  await place.create('one');
  return place;
}

/** Stands before a Redis, and then before another. */
async function switchable(t: Teardown, port: number): Promise<{url: string; to(port: number): void}> {
  let target = port;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    near.pipe(far).pipe(near);
    sockets.add(near);
    for (const socket of [near, far]) {
      socket
        .on('error', () => undefined)
        .on('close', () => {
          near.destroy();
          far.destroy();
        });
    }
  }).listen(0, '127.0.0.1');
  await until('it listens', async () => server.listening);
  const cut = () => sockets.forEach((socket) => socket.destroy());
  t.teardown(() => {
    server.close();
    cut();
  });
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    to: (other) => {
      target = other;
      cut();
    },
  };
}

async function orch(...argv: string[]): Promise<void> {
  let printed = '';
  const take = {write: (text: string) => (printed += text)};
  const code = await run(argv, {out: take, err: take, cwd: process.cwd()});
  if (code !== 0) throw new Error(printed);
}

/** By the titles of the pages. */
export const scenes: Readonly<Record<string, (t: ExecutionContext) => Promise<Scene>>> = {
  async 'Redis lost its data, and there is a backup'(t) {
    const redis = await startRedis(t);
    const place = await served(t, redis.url);
    const backup = join(tempFolder(t), 'orch.backup');
    await orch('store', 'backup', '--store', redis.url, '--data-dir', tempFolder(t), '--file', backup);
    await redis.restart();
    return place.scene({env: {BACKUP: backup}});
  },

  async 'Redis lost its data, and there is no backup'(t) {
    const redis = await startRedis(t);
    const place = await served(t, redis.url);
    await until('it is remembered', async () => existsSync(join(place.dataDir, 'lineage')));
    await redis.client().flushall();
    return place.scene();
  },

  async 'Redis was restored from an older snapshot'(t) {
    const redis = await startRedis(t);
    const place = await served(t, redis.url);
    const client = redis.client();
    const older = (await client.callBuffer(
      'EVAL',
      `local all = {} for _, key in ipairs(redis.call('KEYS', '*')) do all[#all + 1] = key all[#all + 1] = redis.call('DUMP', key) end return all`,
      0,
    )) as Buffer[];
    await place.create('later');
    const back = client.multi().flushall();
    for (let index = 0; index < older.length; index += 2) back.restore(older[index]!, 0, older[index + 1]!);
    await back.exec();
    return place.scene();
  },

  async 'A failover lost writes'(t) {
    const [primary, replica] = await Promise.all([startRedis(t), startRedis(t, {args: ['--repl-diskless-sync-delay', '0']})]);
    const relay = await switchable(t, primary.port);
    const place = await served(t, relay.url);
    const admin = replica.client();
    await admin.replicaof('127.0.0.1', String(primary.port));
    await until('the replica has all', async () => /master_link_status:up/.test(await admin.info('replication')));
    await admin.replicaof('NO', 'ONE');
    await place.create('later');
    await primary.kill();
    relay.to(replica.port);
    return place.scene();
  },

  async 'A server refuses another store'(t) {
    const [own, other] = await Promise.all([startRedis(t), startRedis(t)]);
    const elsewhere = await served(t, other.url);
    await elsewhere.stop();
    const relay = await switchable(t, own.port);
    const place = await served(t, relay.url);
    relay.to(other.port);
    return place.scene();
  },

  async 'The memory of Redis is full'(t) {
    const redis = await startRedis(t);
    const place = await served(t, redis.url);
    await redis.client().config('SET', 'maxmemory', '1mb');
    return place.scene();
  },

  async 'The disk of the embedded store is full'(t) {
    const dataDir = tempFolder(t);
    const server = await startOrch(t, {dataDir});
    const large = join(tempFolder(t), 'large');
    writeFileSync(large, 'x');
    const {httpsClient} = await import('../helpers/https-client.js');
    const client = httpsClient(t, server);
    const ask = async (path: string) => (await client.get(path)).text;
    let made = 0;
    const create = async () => {
      const data = {text: 'x'.repeat(50_000)};
      const {status, text} = await client.post(maps, {metadata: {name: `new-${++made}`}, data});
      return `${status} ${text}`;
    };
    // A limit on the size of files stands in for a full disk: LMDB meets the same failed write.
    const limit = (bytes: string) => execFileSync('prlimit', ['--pid', String(server.pid), `--fsize=${bytes}:unlimited`]);
    limit('400000');
    await until('the disk is full', async () => !(await create()).startsWith('201'));
    let lifted = false;
    return {
      env: {STORE: 'embedded', DATA_DIR: dataDir, LARGE_FILE: large},
      see: {
        '/readyz?verbose': () => ask('/readyz?verbose'),
        'a read': async () => `${(await client.get(maps)).status}`,
        'a write': create,
      },
      afterCommand() {
        if (!existsSync(large) && !lifted) limit('unlimited');
        lifted ||= !existsSync(large);
      },
    };
  },

  async 'A record is damaged'(t) {
    const redis = await startRedis(t);
    const place = await served(t, redis.url);
    await place.stop();
    const client = redis.client();
    const revision = await client.hget('orch:{orch.0}:t:configmaps', 'default/one');
    await client.hset('orch:{orch.0}:v:configmaps', revision!, 'x');
    await place.start();
    await place.ask('get', maps);
    return place.scene({env: {EXPORT: join(tempFolder(t), 'export.jsonl')}});
  },

  async 'A data folder was copied back'(t) {
    const place = await served(t, 'embedded');
    await place.stop();
    const [live, copy] = [join(place.dataDir, 'store'), join(tempFolder(t), 'copy')];
    cpSync(live, copy, {recursive: true});
    await place.start();
    await place.create('later');
    await place.stop();
    rmSync(live, {recursive: true});
    cpSync(copy, live, {recursive: true});
    await place.start();
    return place.scene();
  },

  async 'Two servers on one folder'(t) {
    const dataDir = tempFolder(t);
    const server = await startOrch(t, {dataDir});
    const second = await startTestServer({store: 'embedded', dataDir}).then(
      () => 'it started',
      (error: Error) => error.message,
    );
    return {
      env: {STORE: 'embedded', DATA_DIR: dataDir, PID: String(server.pid)},
      see: {'start of the second server': () => second},
    };
  },

  async 'The clock jumped'(t) {
    const place = await served(t, 'embedded');
    const made = (await place.client.get(`${maps}/one`)).json<{metadata: {resourceVersion: string}}>();
    await place.create('two');
    const {now} = Date;
    t.teardown(() => (Date.now = now));
    Date.now = () => now() + 10 * 60_000;
    await place.create('later');
    // Ages are looked at from time to time.
    const watch = async () => {
      const signal = AbortSignal.timeout(2000);
      return place.client
        .get(`${maps}?watch=1&timeoutSeconds=1&resourceVersion=${made.metadata.resourceVersion}`, {signal})
        .then(({status, body}) => `${status} ${body.toString()}`);
    };
    return place.scene({
      see: {'a watch from before': watch},
      afterCommand: () => {
        Date.now = now;
      },
    });
  },
};
