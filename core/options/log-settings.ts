import {parseDuration} from '../../sdk/values/duration.js';
import type {RequestLogSettings} from '../http/filters/log-requests.js';
import {LogLevels, parseLevels} from '../logs/log-levels.js';
import type {ServerOptions} from './server-options.js';

/** Twice what kube-apiserver has for its own traces: a request that waits for a webhook is not worth a warning yet. */
const defaultSlowRequest = '1s';

/** The least levels of what is logged. @throws Error in one sentence */
export function levelsOf(logLevel: string | undefined): LogLevels {
  // What the program's own log leaves out is up to that.
  const levels = new LogLevels('trace');
  try {
    if (logLevel !== undefined) levels.set(parseLevels(logLevel));
  } catch (error) {
    throw new Error(`the log level ${(error as Error).message}`, {cause: error});
  }
  return levels;
}

/** What is logged of requests. @throws Error in one sentence */
export function requestLogOf({logRequests, slowRequestThreshold, configuration = {}}: ServerOptions): RequestLogSettings {
  const text = slowRequestThreshold ?? configuration.log?.slowRequestThreshold ?? defaultSlowRequest;
  const nanoseconds = text.startsWith('-') ? undefined : parseDuration(text);
  if (nanoseconds === undefined)
    throw new Error(`the slow request threshold must be a duration as 500ms or 1s, not ${JSON.stringify(text)}`);
  return {isOn: logRequests ?? configuration.log?.requests ?? false, slowMillis: Number(nanoseconds) / 1e6};
}
