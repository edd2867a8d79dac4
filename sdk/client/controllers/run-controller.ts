import {randomUUID} from 'node:crypto';
import {hostname} from 'node:os';
import type {Logger} from '../../contracts/logger.js';
import type {ControllerParts} from '../../controllers/reconciler.js';
import type {LeaderElector} from '../../controllers/leader-election/leader-elector.js';
import type {LeaderTerm} from '../../controllers/leader-election/leader-term.js';
import type {Client} from '../client.js';
import {spelledGroup} from '../platform.js';
import {ClientResources} from './client-resources.js';

/** A loop, such as a `Reconciler`. */
export interface ControllerLoop {
  start(signal: AbortSignal): unknown;
  stop(): Promise<void>;
}

export interface RunControllerOptions {
  /** Ends it. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** The lease that lets one of several processes run it at a time; without it, each of them does. */
  readonly lease?: {readonly namespace: string; readonly name: string};
}

/** Times of Kubernetes' own clients. */
const times = {leaseMillis: 15_000, renewDeadlineMillis: 10_000, retryMillis: 2000};

/**
 * Runs a controller outside a server: the same code, given a client of the server in place of what plugins inject. Resolves when the signal has fired and
 * all work has ended; the client is the caller's to close.
 *
 * With a lease, the writes of a process whose lease may have run out are not sent. What it sent before cannot be called back: unlike inside a server, the
 * store does not know the lease.
 *
 * @param make called for each term of leadership, or once
 * @throws StatusError, ConnectionError if the server cannot be asked which types it serves
 */
export async function runController(
  client: Client,
  make: (parts: ControllerParts) => ControllerLoop,
  options: RunControllerOptions,
): Promise<void> {
  const {signal, logger, lease} = options;
  let term: LeaderTerm | undefined;
  const resources = await ClientResources.open(client, () => term?.check());
  const loop = (): ControllerLoop => make({resources, naming: {group: (neutral) => spelledGroup(neutral, client.platform)}, logger});
  const ended = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), {once: true});
  });
  if (!lease) {
    const running = loop();
    running.start(signal);
    await ended;
    return running.stop();
  }
  // Most programs run alone and should not pay for it.
  const {LeaderElector: Elector} = await import('../../controllers/leader-election/leader-elector.js');
  let running: ControllerLoop | undefined;
  const elector: LeaderElector = new Elector({
    resources: await ClientResources.open(client),
    ...lease,
    identity: `${hostname()}_${randomUUID()}`,
    times,
    logger,
    onStart: (started) => {
      term = started;
      running = loop();
      running.start(started.signal);
    },
    onEnd: async () => running?.stop(),
  });
  await elector.start();
  await ended;
  await elector.stop();
}
