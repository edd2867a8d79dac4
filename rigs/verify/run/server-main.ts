// One server of a verification, in a process of its own: a short history, so that pauses longer than it do not take minutes.
import {writeSync} from 'node:fs';
import {createServer} from '@orch-api/orch';
import {quietControllers} from '../../../testing/quiet-controllers.js';

export interface ServerOrder {
  readonly store: string;
  readonly dataDir: string;
  readonly historyMillis: number;
  /** Flags of the store's plugin. */
  readonly flags: Readonly<Record<string, unknown>>;
}

const {store, dataDir, historyMillis, flags} = JSON.parse(process.argv[2]!) as ServerOrder;
const server = await createServer({
  store,
  dataDir,
  historyMillis,
  securePort: 0,
  controllers: quietControllers,
  flags,
});
process.on('SIGTERM', () => void server.stop().then(() => process.exit(0)));
await server.start();
writeSync(1, `ready ${server.url} kubeconfig=${server.kubeconfig}\n`);
