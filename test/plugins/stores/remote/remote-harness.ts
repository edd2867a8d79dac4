import {join} from 'node:path';
import type {ExecutionContext} from 'ava';
import {RemoteStore} from '../../../../plugins/stores/remote/remote-store.js';
import {StoreServer} from '../../../../plugins/stores/remote/store-server.js';
import type {Store} from '@orch-api/orch/sdk';
import type {StoreHarness} from '@orch-api/orch/testing/conformance';
import {strictLogger, temporaryDirectory} from '../../../helpers/store-embedded.js';

/** Lost connections are reported; nothing worse may happen. */
const lenientLogger = {...strictLogger(), warn() {}};

/** A store that is used through a socket; the process that has it is this one. */
export interface RemoteHarness extends StoreHarness {
  /** What the store is used by. */
  open(silenceMillis?: number): Promise<RemoteStore>;
  /** As when its process is killed. */
  crash(): Promise<void>;
  /** As when it is started again. */
  restart(): Promise<void>;
}

export async function remoteHarness(t: ExecutionContext, openOwn: () => Promise<Store>): Promise<RemoteHarness> {
  const path = join(await temporaryDirectory(t), 'store.sock');
  const opened: Store[] = [];
  let own = await openOwn();
  let server = await StoreServer.listen(own, path);
  const harness: RemoteHarness = {
    shared: true,
    durable: true,
    async open(silenceMillis?: number) {
      const store = await RemoteStore.open({path, logger: lenientLogger, ...(silenceMillis === undefined ? {} : {silenceMillis})});
      opened.push(store);
      return store;
    },
    async cutConnections() {
      await server.close();
      server = await StoreServer.listen(own, path);
    },
    async crash() {
      await server.close();
      await own.close();
    },
    async restart() {
      own = await openOwn();
      server = await StoreServer.listen(own, path);
    },
    async close() {
      await Promise.all(opened.map((store) => store.close()));
      await harness.crash();
    },
  };
  return harness;
}
