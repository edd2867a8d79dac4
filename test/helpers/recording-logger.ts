import type {Logger} from '../../sdk/index.js';

export interface LoggedLine {
  readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error';
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/**
 * A log that is kept for the test to look at.
 *
 * @param keepsBound whether lines of children have the fields of these too
 */
export function recordingLogger(keepsBound = false): {logger: Logger; lines: readonly LoggedLine[]} {
  const lines: LoggedLine[] = [];
  const bound = (own: object): Logger => {
    const at = (level: LoggedLine['level']) => (fields: object, message: string) =>
      void lines.push({level, fields: {...own, ...fields}, message});
    const logger: Logger = {
      trace: at('trace'),
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      child: (fields) => (keepsBound ? bound({...own, ...fields}) : logger),
    };
    return logger;
  };
  return {logger: bound({}), lines};
}

/** Warnings and errors, without what is said of a machine that has too much to do: a turn that took long is one on a slow machine only. */
export function complaints(lines: readonly LoggedLine[]): LoggedLine[] {
  return lines.filter(({level, message}) => (level === 'warn' || level === 'error') && message !== 'a turn of the event loop took long');
}
