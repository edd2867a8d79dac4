import type {Logger} from '../../sdk/index.js';
import type {ServerOptions} from './server-options.js';
import {silentLogger} from '../logs/silent-logger.js';

/** What a server logs with, and the least levels of it. */
export interface ServerLog {
  readonly logger: Logger;
  readonly logLevel: string | undefined;
}

/**
 * The log that the options of a server ask for: that of the program around it, one like that of the command line, or none.
 *
 * @throws Error in one sentence when they ask for two
 */
export async function serverLog({log = false, logger, logLevel, configuration}: ServerOptions): Promise<ServerLog> {
  if (log === false) return {logger: logger ?? silentLogger, logLevel};
  if (logger) throw new Error('log and logger cannot be given together: logger is a log of your own, log one that the server makes');
  // pino is loaded by those who want it.
  const {createLogger} = await import('../logs/create-logger.js');
  const {format = 'auto', level} = configuration?.log ?? {};
  const stream = typeof log === 'object' ? log : undefined;
  const levels = logLevel ?? (typeof log === 'string' ? log : level);
  return {
    logger: await createLogger({format, isTerminal: process.stderr.isTTY === true, stream}),
    logLevel: levels === undefined ? 'info' : `info,${levels}`,
  };
}
