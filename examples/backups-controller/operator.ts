import {Client, loadConnection, runController} from '@orch-api/orch/client';
import {backupsController} from './backups.js';

// The same controller as a program of its own: `node operator.js`, with KUBECONFIG set.
const line = (level: string) => (fields: object, message: string) => console.error(JSON.stringify({level, message, ...fields}));
const logger = {trace: () => {}, debug: () => {}, info: line('info'), warn: line('warn'), error: line('error'), child: () => logger};
const stopping = new AbortController();
process.once('SIGTERM', () => stopping.abort());
process.once('SIGINT', () => stopping.abort());

using client = new Client(await loadConnection(), {platform: 'kubernetes', userAgent: 'backups-operator'});
await runController(client, backupsController, {
  signal: stopping.signal,
  logger,
  lease: {namespace: 'default', name: 'backups-operator'},
});
