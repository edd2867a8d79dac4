import type {Logger} from '../../sdk/index.js';

export interface LoggedLine {
  readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error';
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** A log that is kept for the test to look at. */
export function recordingLogger(): {logger: Logger; lines: readonly LoggedLine[]} {
  const lines: LoggedLine[] = [];
  const at = (level: LoggedLine['level']) => (fields: object, message: string) => void lines.push({level, fields: {...fields}, message});
  const logger: Logger = {
    trace: at('trace'),
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: () => logger,
  };
  return {logger, lines};
}
