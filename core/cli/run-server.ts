import v8 from 'node:v8';
import type {Logger} from '../../sdk/contracts/logger.js';
import type {LoopGuardOptions} from './loop-guard/loop-guard.js';
import {LogLevels, parseLevels} from '../logs/log-levels.js';
import type {ServerOptions} from '../options/server-options.js';
import {createLogger} from '../logs/create-logger.js';
import type {LogArguments, ServerArguments} from './server-arguments.js';
import {runUntilStopped, type RunningServer, type WhenReady} from './server-lifetime.js';
import type {Terminal} from './terminal.js';
import {UsageError} from './usage-error.js';

/**
 * Runs a server until a signal ends it. Resolves with the exit code.
 *
 * @param atStart gets the log before anything else
 * @param whenReady called once it is ready
 */
export async function runServer(
  {options, log, positionals}: ServerArguments,
  terminal: Terminal,
  {
    logFile,
    atStart,
    whenReady,
  }: {readonly logFile?: string | undefined; readonly atStart?: (logger: Logger) => void; readonly whenReady?: WhenReady} = {},
): Promise<number> {
  if (positionals.length > 0) throw new UsageError(`orch serve takes flags only, and ${JSON.stringify(positionals[0])} is none`);
  const {logger, unfiltered} = await serverLogger(log, terminal, {file: logFile});
  atStart?.(logger);
  const unguard = await guardAgainstPlugins(options, logger, {logFile, asText: isText(log, terminal, logFile)});
  try {
    return await runUntilStopped(() => create({...options, logger: unfiltered}), logger, terminal, whenReady);
  } finally {
    unguard();
  }
}

/**
 * Logs which plugin ends or blocks the process. Only with plugins that did not come with the server, because it costs a thread.
 *
 * @returns stops the guards
 */
async function guardAgainstPlugins(
  {catalogue, limits, configuration}: ServerOptions,
  logger: Logger,
  output: Pick<LoopGuardOptions, 'logFile' | 'asText'>,
): Promise<() => void> {
  const foreign = (catalogue?.plugins ?? []).filter(({source}) => source !== 'root');
  if (foreign.length === 0) return () => undefined;
  const [{guardLoop, logExits, placesOf}, {limitsOf}, inspector] = await Promise.all([
    import('./loop-guard/index.js'),
    import('../options/limit-options.js'),
    import('node:inspector'),
  ]);
  const exits = logExits(
    foreign.map((plugin) => ({...plugin, enabled: true, why: '', config: {}})),
    logger,
  );
  const limitMillis = limitsOf({limits, configuration}).stalledLoop;
  // A debugger holds up the loop as well.
  const stop =
    limitMillis === 0 || inspector.url() !== undefined ? undefined : guardLoop({limitMillis, plugins: placesOf(foreign), ...output});
  return () => {
    exits();
    stop?.();
  };
}

function isText({format}: LogArguments, {err}: Terminal, logFile: string | undefined): boolean {
  return format === 'text' || (format === 'auto' && err.isTTY === true && logFile === undefined);
}

/** The log of a process, at the levels that were asked for; `unfiltered` is for a server, which filters by levels that can be changed. */
export async function serverLogger(
  {format, levels: text}: LogArguments,
  terminal: Terminal,
  more: {readonly file?: string | undefined; readonly base?: object} = {},
): Promise<{readonly logger: Logger; readonly unfiltered: Logger}> {
  const unfiltered = await createLogger({format, isTerminal: terminal.err.isTTY === true, ...more});
  const levels = new LogLevels('info');
  levels.set(parseLevels(text));
  return {logger: levels.filter(unfiltered), unfiltered};
}

/** The composition root is loaded only when a server is really started. */
async function create(options: ServerOptions): Promise<RunningServer> {
  const {createServer} = await import('../server/create-server.js');
  allocateYoung();
  return createServer(options);
}

/**
 * Has V8 put what is made by literals into the young generation, always (docs/decisions/0015). It takes compiled code only with the flags of code that it was compiled with, and
 * that of Node's own modules was compiled without: to be called once those are loaded.
 */
export function allocateYoung(): void {
  v8.setFlagsFromString('--no-allocation-site-pretenuring');
}
