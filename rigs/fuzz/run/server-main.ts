// The server of a fuzz, in a process of its own. Its parent is told of every error that it logs, and may ask what it holds after a garbage
// collection.
import {join} from 'node:path';
import {createServer} from '@orch-api/orch';
import type {Logger} from '@orch-api/orch/sdk';
import {TestClient} from '@orch-api/orch/testing';
import {everythingOf} from '../everything-of.js';
import {stayOnLoopback} from './loopback-only.js';
import type {SlowTurn} from './slow-turns.js';
import {surroundingsOf} from './surroundings.js';

export interface ServerOrder {
  readonly kind: 'start' | 'heap';
  readonly dataDir?: string;
  readonly store?: string;
  readonly release?: string;
}

export interface ServerMessage {
  readonly kind: 'ready' | 'heap' | 'logged' | 'slow' | 'failed';
  readonly url?: string;
  /** Bytes of objects and of what lies outside of the heap, after a collection. */
  readonly heap?: number;
  readonly external?: number;
  readonly text?: string;
  /** A turn of the event loop that took longer than it may. */
  readonly turn?: SlowTurn;
}

/** History is held in memory: with a short one what a long run holds soon stays the same. */
const historyMillis = 20_000;

const tell = (message: ServerMessage) => process.send!(message);

/** The fuzz deletes and changes default roles too: a controller that has lost its own says so. */
const roleLost = /"the controller \S+ may not .*\(default roles are made whole at the next start\)"$/;

/** Large requests come faster than the backend of the audit log takes their events: those that there is no room for are lost, and that is said. */
const eventsLost = /events of \d+ bytes wait already/;

const slowTurn = 'a turn of the event loop took long';

/** Passes on what is logged as an error (a bug, whatever was answered), and turns that took long. */
function errorLogger(): Logger {
  const quiet = () => undefined;
  const logger: Logger = {
    trace: quiet,
    debug: quiet,
    info: quiet,
    warn: (fields: SlowTurn, message: string) => {
      if (message === slowTurn) tell({kind: 'slow', turn: fields});
    },
    error: (...entry: unknown[]) => {
      const text = entry.map((part) => (part as {err?: Error}).err?.stack ?? JSON.stringify(part)).join(' ');
      if (!roleLost.test(text) && !eventsLost.test(text)) tell({kind: 'logged', text});
    },
    child: () => logger,
  } as unknown as Logger;
  return logger;
}

async function obey({kind, dataDir, store, release}: ServerOrder): Promise<void> {
  if (kind === 'heap') {
    for (let time = 0; time < 2; time++) global.gc!();
    const {heapUsed, external} = process.memoryUsage();
    tell({kind: 'heap', heap: heapUsed, external});
    return;
  }
  const {options, furnish} = await surroundingsOf({teardown: () => undefined}, dataDir!);
  const server = await createServer({
    ...options,
    ...(store === undefined ? {} : {store}),
    dataDir: dataDir!,
    securePort: 0,
    platform: 'kubernetes',
    ...everythingOf(release!),
    historyMillis,
    logger: errorLogger(),
  });
  await server.start();
  const client = await TestClient.open(server.url, join(dataDir!, 'pki'));
  await furnish(client);
  client.close();
  tell({kind: 'ready', url: server.url});
}

stayOnLoopback();

process.on('message', (order: ServerOrder) => {
  obey(order).catch((error: unknown) => tell({kind: 'failed', text: (error as Error).stack ?? String(error)}));
});
process.on('disconnect', () => process.exit());
