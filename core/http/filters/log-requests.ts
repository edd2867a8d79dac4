import type {Logger} from '../../../sdk/index.js';
import {RequestTrace, type TracedPart} from '../../tracing/request-trace.js';
import type {Exchange} from '../request/exchange.js';
import {isLongRunning} from '../request/long-running.js';
import type {Filter} from './filter.js';

/** Maximum logged length of an id from the client (`Audit-ID`). */
export const longestId = 64;
/** Steps of slow requests that took less than this part of the threshold are not logged: they are not the cause. */
const leastShare = 0.001;

/** What is logged of requests; may change while the server runs. */
export interface RequestLogSettings {
  /** Whether all requests are logged at `info`; otherwise they are at `debug`. */
  isOn: boolean;
  /** Requests that take longer are logged at `warn` with the times of their steps, in milliseconds; 0 for none. Those that are meant to last never are. */
  readonly slowMillis: number;
}

/**
 * Logs requests with their result, duration, user and audit annotations.
 *
 * @param keepSteps whether the times of steps are needed elsewhere
 */
export function logRequests(logger: Logger, settings: RequestLogSettings, keepSteps: boolean): Filter {
  const {slowMillis} = settings;
  const times = keepSteps || slowMillis > 0;
  const leastMillis = keepSteps ? 0 : slowMillis * leastShare;
  return async (exchange, next) => {
    if (times) exchange.trace = new RequestTrace(exchange.startedAt, leastMillis);
    await next(exchange);
    const now = performance.now();
    const {response, startedAt, trace} = exchange;
    const milliseconds = now - startedAt;
    const isSlow = slowMillis > 0 && milliseconds > slowMillis && !isLongRunning(exchange);
    trace?.step('answer', now);
    if (isSlow) logger.warn({...fieldsOf(exchange, milliseconds), steps: stepTimes(trace!.parts)}, 'slow request');
    else if (response.statusCode >= 500) logger.warn(fieldsOf(exchange, milliseconds), 'request failed');
    else if (settings.isOn) logger.info(fieldsOf(exchange, milliseconds), 'request');
    else if (logger.isEnabled?.('debug') ?? true) logger.debug(fieldsOf(exchange, milliseconds), 'request');
  };
}

function fieldsOf(exchange: Exchange, milliseconds: number): object {
  const {id, request, path, response, user, impersonator, trace} = exchange;
  const annotations = exchange.annotations('Metadata');
  return {
    id: id.slice(0, longestId),
    method: request.method,
    path,
    code: response.statusCode,
    milliseconds: tenths(milliseconds),
    user: user?.username,
    ...(impersonator ? {impersonator: impersonator.username} : {}),
    ...(trace?.context ? {trace: trace.context.traceId} : {}),
    ...(annotations ? {annotations} : {}),
  };
}

/** Milliseconds by step. A part of a step has the names of both; repeated steps are added up. */
function stepTimes(parts: readonly TracedPart[]): Record<string, number> {
  const sums = new Map<string, number>();
  for (const part of parts) {
    const name = part.parent ? `${part.parent.name}: ${part.name}` : part.name;
    sums.set(name, (sums.get(name) ?? 0) + part.ended - part.began);
  }
  return Object.fromEntries([...sums].map(([name, millis]) => [name, tenths(millis)]));
}

function tenths(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
