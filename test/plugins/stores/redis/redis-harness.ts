import type {Store} from '../../../../sdk/index.js';
import type {StoreHarnessFactory} from '../../../conformance/store/store-harness.js';
import {startRedis} from '../../../helpers/redis-server.js';
import {openStore} from './open-store.js';

/** Each test of the suite gets a redis-server of its own: `cutConnections` would disturb others. */
export function redisHarness(driver: 'ioredis' | 'redis', parameters = ''): StoreHarnessFactory {
  return async (t) => {
    const server = await startRedis(t);
    const admin = server.client();
    const stores: Store[] = [];
    return {
      shared: true,
      durable: true,
      async open() {
        const store = await openStore(`${server.url}?driver=${driver}${parameters}`);
        stores.push(store);
        return store;
      },
      async cutConnections() {
        await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      },
      async close() {
        await Promise.all(stores.map((store) => store.close()));
      },
    };
  };
}
