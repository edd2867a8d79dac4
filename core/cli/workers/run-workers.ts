import {mkdir, mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import process from 'node:process';
import {shownText} from '../../../sdk/values/shown-text.js';
import {serverLogger} from '../run-server.js';
import type {ServerArguments} from '../server-arguments.js';
import type {Terminal} from '../terminal.js';
import {UsageError} from '../usage-error.js';
import {Supervisor} from './supervisor.js';

const exitCodes: Partial<Record<NodeJS.Signals, number>> = {SIGINT: 130, SIGTERM: 143};
/** The path of a Unix socket has at most 107 bytes. */
const maximumPathBytes = 100;

/** Runs a server of several processes until a signal ends it. Resolves with the exit code. */
export async function runWorkers(
  args: readonly string[],
  {options, workers, log, positionals}: ServerArguments,
  terminal: Terminal,
): Promise<number> {
  if (positionals.length > 0) throw new UsageError(`orch serve takes flags only, and ${JSON.stringify(positionals[0])} is none`);
  const {logger} = await serverLogger(log, terminal);
  const {configuration = {}} = options;
  const {path, isTemporary} = await socketPath(resolve(terminal.cwd, options.dataDir ?? configuration.dataDir ?? '.orch'));
  const supervisor = new Supervisor({
    args,
    workers,
    bindAddress: options.bindAddress ?? configuration.bindAddress ?? '127.0.0.1',
    port: options.securePort ?? configuration.securePort ?? 6443,
    storeUrl: `unix://${path}`,
    logger,
  });
  const stopRequested = Promise.withResolvers<NodeJS.Signals>();
  let stopping = false;
  const onStop = (signal: NodeJS.Signals) => {
    if (stopping) {
      supervisor.kill();
      process.exit(exitCodes[signal]);
    }
    stopping = true;
    stopRequested.resolve(signal);
  };
  let isReady = false;
  const onReplace = () => {
    if (isReady) supervisor.replaceWorkers();
  };
  process.on('SIGTERM', onStop).on('SIGINT', onStop).on('SIGHUP', onReplace);
  try {
    const started = supervisor.start().then(
      ({url, kubeconfig}) => {
        if (stopping) return true;
        isReady = true;
        terminal.out.write(`ready ${url} kubeconfig=${kubeconfig}\n`);
        return true;
      },
      (error: Error) => {
        if (stopping) return true;
        terminal.err.write(`orch: the server could not be started: ${shownText(error.message)}\n`);
        return false;
      },
    );
    const failed = started.then((worked) => (worked ? new Promise<never>(() => undefined) : 'failed'));
    const end = await Promise.race([stopRequested.promise, failed]);
    if (end !== 'failed') logger.info({signal: end}, 'stopping');
    stopping = true;
    await supervisor.stop();
    logger.info({}, 'stopped');
    return end === 'failed' ? 1 : 0;
  } finally {
    if (isTemporary) await rm(dirname(path), {recursive: true, force: true});
    process.off('SIGTERM', onStop).off('SIGINT', onStop).off('SIGHUP', onReplace);
  }
}

/** The socket of the store process, in a folder that other users cannot read. */
async function socketPath(dataDir: string): Promise<{path: string; isTemporary: boolean}> {
  const folder = join(dataDir, 'workers');
  const path = join(folder, 'store.sock');
  if (Buffer.byteLength(path) <= maximumPathBytes) {
    await mkdir(folder, {recursive: true, mode: 0o700});
    return {path, isTemporary: false};
  }
  return {path: join(await mkdtemp(join(tmpdir(), 'orch-')), 'store.sock'), isTemporary: true};
}
