import {badRequest, timeout, type NamingProfile} from '../../../sdk/index.js';
import {durationProblem, parseDuration} from '../../../sdk/values/duration.js';
import type {ResolvedExchange} from '../request/stages.js';
import {isLongRunning} from '../request/long-running.js';
import {sendError} from '../representation/status.js';
import type {Filter} from './filter.js';

/**
 * Answers 504 if a request takes too long, and cancels its work. If the response has already started, the connection is closed: the time
 * runs until all of it has been sent. The parameter `timeout` limits only the work; for reading a complete response, the server's own limit
 * applies.
 */
export function limitTime(naming: NamingProfile): Filter<ResolvedExchange> {
  return (exchange, next) => {
    if (isLongRunning(exchange)) return next(exchange);
    const {requestTimeout} = exchange.carrier.limits;
    const millis = exchange.query.size === 0 ? requestTimeout : limitOf(exchange, requestTimeout);
    exchange.timeLimitMillis = millis;
    let timer = setTimeout(() => {
      // The work was done in time. The client does not decide how long it may take to read the response.
      if (exchange.response.writableEnded && millis < requestTimeout) timer = setTimeout(() => cut(exchange), requestTimeout - millis);
      else end(exchange, millis, naming);
    }, millis);
    exchange.whenFinished(() => clearTimeout(timer));
    return next(exchange);
  };
}

/** What of the server's limit and those that the request asks for is over first. */
function limitOf(exchange: ResolvedExchange, requestTimeout: number): number {
  return Math.min(requestTimeout, requestedTimeout(exchange) || requestTimeout, timeoutSeconds(exchange) * 1000 || requestTimeout);
}

function end(exchange: ResolvedExchange, millis: number, naming: NamingProfile): void {
  exchange.abort();
  exchange.terminated = true;
  if (!exchange.response.headersSent)
    return void sendError(exchange, timeout(`the request did not complete within ${millis / 1000} s`), naming);
  cut(exchange);
}

function cut(exchange: ResolvedExchange): void {
  exchange.carrier.acted('requestTimeout', 'a connection was cut whose client had not taken its answer in time', {
    path: exchange.path.slice(0, 200),
  });
  exchange.carrier.cut();
}

/** The parameter `timeout` in milliseconds, 0 without one or with a negative one. @throws 400 for a text that is not a duration */
function requestedTimeout({query}: ResolvedExchange): number {
  const text = query.get('timeout');
  if (text === null || text === '') return 0;
  const nanoseconds = parseDuration(text);
  if (nanoseconds === undefined) throw badRequest(`invalid timeout specified in the request URL - ${durationProblem(text)}`);
  // Less than a millisecond must not become 0.
  return nanoseconds < 0n ? 0 : Number((nanoseconds + 999_999n) / 1_000_000n);
}

/** The parameter `timeoutSeconds` of lists and of deletions of collections, 0 without one; anything but a number is refused where it is read. */
function timeoutSeconds({query}: ResolvedExchange): number {
  return Number(/^\d{1,6}$/.exec(query.get('timeoutSeconds') ?? '')?.[0] ?? 0);
}
