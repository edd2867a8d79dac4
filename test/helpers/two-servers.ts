import {startTestServer, type ServerOptions, type TestServer} from '@orch-api/orch/testing';
import {startRedis} from './redis-server.js';
import type {Teardown} from './temp-folder.js';

/** Two servers on one Redis of the test's own. `query` is added to the URL of the store, `?shards=3` for example. */
export async function startTwoServers(t: Teardown, options: ServerOptions = {}, query = ''): Promise<[TestServer, TestServer]> {
  const redis = await startRedis(t as Parameters<typeof startRedis>[0]);
  const start = async () => {
    const server = await startTestServer({enableTestingApi: false, ...options, store: `${redis.url}${query}`});
    t.teardown(() => server.stop());
    return server;
  };
  return [await start(), await start()];
}
