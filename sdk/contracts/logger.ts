/** How important a line of the log is. */
export type LogSeverity = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** Structured log, leveled; the first argument holds the fields. */
export interface Logger {
  trace(fields: object, message: string): void;
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** Whether lines of this level are written; absent if that is not known. For code whose log fields are expensive to gather. */
  isEnabled?(level: LogSeverity): boolean;
  child(fields: Record<string, unknown>): Logger;
}
