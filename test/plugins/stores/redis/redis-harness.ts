import type {TestFn} from 'ava';
import type {Redis} from 'ioredis';
import type {Store} from '@orch-api/orch/sdk';
import type {StoreHarness} from '@orch-api/orch/testing/conformance';
import {startRedis, type RedisServer} from '../../../helpers/redis-server.js';
import {openStore} from './open-store.js';

/**
 * One redis-server for the whole file. Each test has a key prefix of its own and a user of its own, who may use those
 * keys only and whose connections can be cut without disturbing the others.
 */
export function redisHarness(test: TestFn, driver: 'ioredis' | 'redis', shards = 1): () => Promise<StoreHarness> {
  let server: RedisServer;
  let admin: Redis;
  let count = 0;
  const ends: (() => unknown)[] = [];
  test.before(async () => {
    server = await startRedis({teardown: (end) => void ends.push(end)});
    admin = server.client();
  });
  test.after.always(async () => {
    for (const end of ends) await end();
  });
  return async () => {
    const name = `test${++count}`;
    await admin.call('ACL', 'SETUSER', name, 'on', '>secret', `~${name}:*`, '&*', '+@all');
    const stores: Store[] = [];
    return {
      shared: true,
      durable: true,
      async open() {
        const url = `redis://${name}:secret@127.0.0.1:${server.port}?driver=${driver}&prefix=${name}&shards=${shards}`;
        // All tests of a file begin together: on a slow machine a connection may take seconds.
        const store = await openStore(url, {config: {commandMillis: 20_000}});
        stores.push(store);
        return store;
      },
      async cutConnections() {
        await admin.call('CLIENT', 'KILL', 'USER', name);
      },
      async close() {
        await Promise.all(stores.map((store) => store.close()));
      },
    };
  };
}
