import test, {type ExecutionContext} from 'ava';
import {startTestServer, type TestClient, type ServerOptions, type TestServer} from '@orch-api/orch/testing';
import {startRedis, type RedisServer} from './redis-server.js';
import {RivalServer, shortElection} from './rival-server.js';

export type StoreName = 'memory' | 'redis';

/** What a test has of the store that it runs on. */
export interface StoreContext {
  readonly store: StoreName;
  /** The server that all tests of the file share on this store. */
  readonly server: TestServer;
  readonly client: TestClient;
  /** A namespace of the test's own, empty. */
  readonly namespace: string;
  /** Path of a namespaced collection of the core group, or of another group version, in the test's namespace. */
  path(resource: string, groupVersion?: string): string;
  /** Starts a server of the test's own: another part of the same store, further settings; it is stopped when the test ends. */
  start(options?: ServerOptions): Promise<TestServer>;
}

export interface StoreTestOptions {
  /** It tells of something that is lost with a leader, as in Kubernetes: it is left out where leaders are lost. */
  readonly alone?: boolean;
  /** It waits for what a server does of its own accord: the tests of the file take turns, so that none has to wait for the others. */
  readonly serial?: boolean;
  /** It takes long, and the stores make no difference to it. */
  readonly only?: 'memory';
}

export type StoreTest = (
  title: string,
  run: (t: ExecutionContext, context: StoreContext) => Promise<void>,
  options?: StoreTestOptions,
) => void;

/** With 2 the tests on Redis run beside a second server, and whoever leads loses that again and again (`npm run test:two-servers`). */
const isPair = process.env.ORCH_TEST_SERVERS === '2';

/** What a release changes is the same on every store: a run with another release than the usual one (`ORCH_TEST_RELEASE`) takes one of them. */
const stores: readonly StoreName[] = process.env.ORCH_TEST_RELEASE === undefined ? ['memory', 'redis'] : ['memory'];

let tests = 0;

/**
 * Answers a function that registers a test twice: on the memory store and on Redis. The file's servers are started before
 * its tests; Redis is one process for the file, each server on it has a key prefix of its own, each test a namespace.
 */
export function testOnEachStore(options: ServerOptions = {}): StoreTest {
  const servers = new Map<StoreName, TestServer>();
  const cleanup: (() => void | Promise<void>)[] = [];
  let redis: RedisServer;
  let rival: RivalServer | undefined;
  let prefixes = 0;
  const start = (store: StoreName, more: ServerOptions = {}): Promise<TestServer> => {
    const url = store === 'memory' ? 'memory' : `${redis.url}/0?prefix=${encodeURIComponent(`test${++prefixes}:`)}`;
    return startTestServer({store: url, ...options, ...more});
  };

  /** The first of two servers: what it is told of the time the other is told as well. */
  const startPair = async (): Promise<TestServer> => {
    const both = {...options, store: `${redis.url}/0?prefix=pair:`, leaderElection: shortElection};
    const server = await startTestServer(both);
    rival = new RivalServer(server, both);
    await rival.start();
    const advance = async (milliseconds: number) => {
      await server.advance(milliseconds);
      await rival!.advance(milliseconds);
    };
    return Object.assign(Object.create(server) as TestServer, {advance});
  };

  test.before(async () => {
    if (stores.includes('redis')) redis = await startRedis({teardown: (work: () => void | Promise<void>) => void cleanup.push(work)});
    for (const store of stores) {
      if (store === 'redis' && isPair) servers.set(store, await startPair());
      else servers.set(store, await start(store));
    }
  });
  test.after.always(async () => {
    try {
      await rival?.stop();
    } finally {
      for (const server of servers.values()) await server.stop();
      for (const work of cleanup) await work();
    }
  });

  return (title, run, {alone = false, serial = false, only} = {}) => {
    for (const store of only === undefined ? stores : stores.filter((one) => one === only)) {
      if (alone && isPair && store === 'redis') continue;
      (serial ? test.serial : test)(`${title} (${store})`, async (t) => {
        const server = servers.get(store)!;
        const {client} = server;
        const namespace = `test-${++tests}`;
        const made = await client.post('/api/v1/namespaces', {metadata: {name: namespace}});
        if (made.status !== 201) throw new Error(`the namespace of the test: ${made.status} ${made.body.toString()}`);
        await run(t, {
          store,
          server,
          client,
          namespace,
          path: (resource, groupVersion) =>
            `/${groupVersion === undefined ? 'api/v1' : `apis/${groupVersion}`}/namespaces/${namespace}/${resource}`,
          start: async (more) => {
            const own = await start(store, more);
            t.teardown(() => own.stop());
            return own;
          },
        });
      });
    }
  };
}
