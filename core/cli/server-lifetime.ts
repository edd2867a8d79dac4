import type {Client} from '../../sdk/client/client.js';
import type {Logger} from '../../sdk/contracts/logger.js';
import {bugText} from './error-text.js';
import {IdleMemory, ownProcess} from './idle-memory.js';
import type {Terminal} from './terminal.js';

/** What `serve` needs of a server. */
export interface RunningServer {
  start(signal?: AbortSignal): Promise<void>;
  /** Whether an error that nothing caught concerns one controller only. */
  contain(error: unknown): boolean;
  /** Makes it ready for its first users, unless they have come already. */
  warmUp(): Promise<void>;
  stop(): Promise<void>;
  readonly url: string;
  /** Path of the kubeconfig that the server wrote. */
  readonly kubeconfig: string;
  /** With the administrator's permissions, while it runs. */
  readonly client: Client;
}

/** Begins something that goes on until the server stops. Answers what ends it. */
export type WhenReady = (server: RunningServer) => () => Promise<void>;

const exitCodes = {SIGINT: 130, SIGTERM: 143} as const;
/** So long behind a start nobody may have come for the server to be warmed up: before its memory is looked at (`IdleMemory`), and not while a program that started it is about to use it. */
const warmUpMillis = 1000;

/**
 * Starts a server, prints the ready line, and stops it on SIGTERM or SIGINT. Resolves with the exit code once it has stopped. A second signal ends
 * the process at once.
 */
export async function runUntilStopped(
  create: () => Promise<RunningServer>,
  logger: Logger,
  terminal: Terminal,
  whenReady?: WhenReady,
): Promise<number> {
  const stopRequested = Promise.withResolvers<keyof typeof exitCodes>();
  const giveUp = new AbortController();
  const onSignal = (signal: NodeJS.Signals) => {
    const name = signal as keyof typeof exitCodes;
    if (giveUp.signal.aborted) process.exit(exitCodes[name]);
    giveUp.abort(new Error(`the process got ${name}`));
    stopRequested.resolve(name);
  };
  let server: RunningServer | undefined;
  const onBug = (error: unknown) => {
    if (server?.contain(error) === true) return;
    // The state of the process is unknown: no attempt to carry on.
    logger.error({err: error}, 'the server ends because of an error that nothing caught');
    terminal.err.write(`orch: ${bugText(error)}\n`);
    process.exit(1);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  process.on('uncaughtException', onBug);
  try {
    server = await create();
    try {
      await server.start(giveUp.signal);
    } catch (error) {
      // A start that the operator cancelled has done what was asked.
      if (giveUp.signal.aborted) return 0;
      throw error;
    }
    if (!giveUp.signal.aborted) terminal.out.write(`ready ${server.url} kubeconfig=${server.kubeconfig}\n`);
    const memory = new IdleMemory(ownProcess());
    memory.start();
    const warming = setTimeout(() => void server!.warmUp(), warmUpMillis).unref();
    const end = giveUp.signal.aborted ? undefined : whenReady?.(server);
    const signal = await stopRequested.promise;
    await end?.();
    memory.stop();
    clearTimeout(warming);
    logger.info({signal}, 'stopping');
    await server.stop();
    logger.info({}, 'stopped');
    return 0;
  } finally {
    process.off('SIGTERM', onSignal);
    process.off('SIGINT', onSignal);
    process.off('uncaughtException', onBug);
  }
}
