import type {Logger, LogSeverity} from '../../sdk/index.js';
import {originOf} from '../../sdk/errors/error-origin.js';

/** From the least important lines to none at all. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const satisfies readonly (LogSeverity | 'silent')[];
export type LogLevel = (typeof logLevels)[number];

/** Stands for the level of all components without one of their own. */
const forAll = 'default';
/** Components that may be given levels, those included that nobody has heard of yet. */
const maximumComponents = 1000;
const componentPattern = /^[a-zA-Z0-9@][a-zA-Z0-9@./_-]{0,127}$/;

/** The level of a component, as a number: lines of lower ones are left out. */
interface Threshold {
  least: number;
}

const numbers: Readonly<Record<LogLevel, number>> = {trace: 10, debug: 20, info: 30, warn: 40, error: 50, silent: 60};

/** A setting of the flag `--log-level`: `LEVEL` or `COMPONENT=LEVEL`. */
export interface LevelSetting {
  /** Undefined for all components without a level of their own. */
  readonly component: string | undefined;
  /** `default`: that of all. */
  readonly level: LogLevel | 'default';
}

/**
 * Understands settings separated by commas.
 *
 * @throws RangeError in one sentence
 */
export function parseLevels(text: string): LevelSetting[] {
  return text.split(',').map((item) => {
    const [first = '', second, ...rest] = item.trim().split('=');
    const level = second ?? first;
    const component = second === undefined || first === forAll ? undefined : first;
    const known = (logLevels as readonly string[]).includes(level) || (component !== undefined && level === forAll);
    if (rest.length > 0 || !known || (component !== undefined && !componentPattern.test(component)))
      throw new RangeError(
        `must be LEVEL or COMPONENT=LEVEL, the levels being ${logLevels.join(', ')}, not ${JSON.stringify(item.slice(0, 100))}`,
      );
    return {component, level: level as LogLevel};
  });
}

/**
 * What each component of a server logs at least: `kernel`, `http`, `storage`, … and the plugins by their names. May change while the server runs: loggers look at it for
 * each line, which costs no more than a comparison.
 */
export class LogLevels {
  #default: LogLevel;
  readonly #own = new Map<string, LogLevel>();
  readonly #thresholds = new Map<string, Threshold>();
  readonly #rest: Threshold;

  constructor(level: LogLevel) {
    this.#default = level;
    this.#rest = {least: numbers[level]};
  }

  /** @throws RangeError if too many components are named */
  set(settings: readonly LevelSetting[]): void {
    for (const {component, level} of settings) {
      if (component === undefined) this.#default = level as LogLevel;
      else if (level === 'default') this.#own.delete(component);
      else if (this.#own.size >= maximumComponents && !this.#own.has(component))
        throw new RangeError(`names too many components: at most ${maximumComponents} have levels of their own`);
      else this.#own.set(component, level);
    }
    this.#rest.least = numbers[this.#default];
    for (const [component, threshold] of this.#thresholds) threshold.least = numbers[this.#own.get(component) ?? this.#default];
  }

  get default(): LogLevel {
    return this.#default;
  }

  /** The components that log or have levels of their own, with their levels, in order of their names. */
  get components(): Readonly<Record<string, LogLevel>> {
    const names = [...new Set([...this.#thresholds.keys(), ...this.#own.keys()])].sort();
    return Object.fromEntries(names.map((name) => [name, this.#own.get(name) ?? this.#default]));
  }

  /** A log that leaves out what the levels leave out. Its children belong to the components that their fields `part` or `plugin` name. */
  filter(target: Logger): Logger {
    return new FilteredLogger(target, this.#rest, (component) => this.#threshold(component), undefined);
  }

  #threshold(component: string): Threshold {
    let threshold = this.#thresholds.get(component);
    if (!threshold) this.#thresholds.set(component, (threshold = {least: numbers[this.#own.get(component) ?? this.#default]}));
    return threshold;
  }
}

class FilteredLogger implements Logger {
  readonly #target: Logger;
  readonly #threshold: Threshold;
  readonly #thresholdOf: (component: string) => Threshold;
  /** The plugin that all lines have already. */
  readonly #plugin: unknown;

  constructor(target: Logger, threshold: Threshold, thresholdOf: (component: string) => Threshold, plugin: unknown) {
    this.#target = target;
    this.#threshold = threshold;
    this.#thresholdOf = thresholdOf;
    this.#plugin = plugin;
  }

  trace(fields: object, message: string): void {
    if (this.#threshold.least <= numbers.trace) this.#target.trace(withOriginOfError(fields, this.#plugin), message);
  }

  debug(fields: object, message: string): void {
    if (this.#threshold.least <= numbers.debug) this.#target.debug(withOriginOfError(fields, this.#plugin), message);
  }

  info(fields: object, message: string): void {
    if (this.#threshold.least <= numbers.info) this.#target.info(withOriginOfError(fields, this.#plugin), message);
  }

  warn(fields: object, message: string): void {
    if (this.#threshold.least <= numbers.warn) this.#target.warn(withOriginOfError(fields, this.#plugin), message);
  }

  error(fields: object, message: string): void {
    if (this.#threshold.least <= numbers.error) this.#target.error(withOriginOfError(fields, this.#plugin), message);
  }

  isEnabled(level: LogSeverity): boolean {
    return this.#threshold.least <= numbers[level] && (this.#target.isEnabled?.(level) ?? true);
  }

  child(fields: Record<string, unknown>): Logger {
    const component = fields.plugin ?? fields.part;
    const threshold = typeof component === 'string' ? this.#thresholdOf(component) : this.#threshold;
    return new FilteredLogger(this.#target.child(fields), threshold, this.#thresholdOf, fields.plugin ?? this.#plugin);
  }
}

/**
 * The fields of a line of the log, with the plugin that an error among them (`err`, `error`) came out of, and its method.
 *
 * @param known the plugin that the line has anyway; the other one is `failed` then, since both have to do with it
 */
function withOriginOfError(fields: object, known: unknown): object {
  const {err, error = err, plugin = known} = fields as {readonly err?: unknown; readonly error?: unknown; readonly plugin?: unknown};
  if (error === undefined) return fields;
  const origin = originOf(error);
  if (!origin) return fields;
  const {plugin: failed, hook} = origin;
  if (plugin === undefined) return {...fields, plugin: failed, hook};
  return plugin === failed ? {...fields, hook} : {...fields, failed, hook};
}
