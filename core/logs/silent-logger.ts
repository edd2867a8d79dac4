import type {Logger} from '../../sdk/index.js';

/** A log that nobody reads, for servers inside other programs that bring none. */
export const silentLogger: Logger = {
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLogger,
};
