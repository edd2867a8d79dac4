import type {Logger} from '../../sdk/contracts/logger.js';
import {textLine} from './text-line.js';

/** Takes lines of the log, as a stream of Node.js does. */
export interface LineStream {
  write(line: string): unknown;
}

/** `auto`: text on a terminal, JSON lines elsewhere. */
export type LogFormat = 'auto' | 'text' | 'json';

/** How the server logs. */
export interface LoggingOptions {
  readonly format: LogFormat;
  /** Whether standard error is a terminal. */
  readonly isTerminal: boolean;
  /** What is logged is appended to this file instead of standard error. */
  readonly file?: string | undefined;
  /** What takes the lines instead of both. */
  readonly stream?: LineStream | undefined;
  /** What each line has besides. */
  readonly base?: object | undefined;
}

/** A log to standard error or elsewhere, of all levels. pino is loaded here, when there is something to log. */
export async function createLogger({format, isTerminal, file, stream, base}: LoggingOptions): Promise<Logger> {
  const {pino} = await import('pino');
  const options = {
    level: 'trace',
    base: base ?? null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {level: (label: string) => ({level: label})},
    serializers: {error: pino.stdSerializers.err, err: pino.stdSerializers.err},
  };
  // Lines are written at once and in order; what was logged before a crash is there.
  const destination = stream ?? pino.destination({dest: file ?? 2, append: true, sync: true});
  const text = format === 'text' || (format === 'auto' && isTerminal && file === undefined && stream === undefined);
  const logger = text ? pino(options, {write: (line: string) => destination.write(textLine(line))}) : pino(options, destination);
  // Its types allow for levels of any name.
  return logger as object as Logger;
}
