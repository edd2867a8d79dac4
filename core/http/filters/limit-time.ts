import {badRequest, timeout} from '../../../sdk/index.js';
import type {Exchange} from '../exchange.js';
import {isTrue} from '../request-info.js';
import {respondError} from '../respond.js';
import type {Filter} from './filter.js';

/** Time a request may take unless it asks for less with `timeout`. Watches and proxied connections have their own end. */
const defaultTimeoutMillis = 60_000;
const durationPart = /(\d+(?:\.\d+)?)(ms|s|m|h|us|µs|ns)/gy;
const unitMillis: Readonly<Record<string, number>> = {ns: 1e-6, us: 1e-3, 'µs': 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000};

/** Answers 504 when a request takes too long, and tells the work behind it to end. Also ends that work when the client goes away. */
export function limitTime(maximumMillis = defaultTimeoutMillis): Filter {
  return async (exchange, next) => {
    if (isLongRunning(exchange)) return next();
    const millis = Math.min(maximumMillis, requestedTimeout(exchange) ?? maximumMillis);
    const timer = setTimeout(() => {
      exchange.abort();
      respondError(exchange, timeout(`the request did not complete within ${millis / 1000} s`));
    }, millis);
    const onClose = () => exchange.abort();
    exchange.response.on('close', onClose);
    try {
      await next();
    } finally {
      clearTimeout(timer);
      exchange.response.off('close', onClose);
    }
  };
}

/** Requests that are meant to last: they have no deadline and do not count against the limits of requests in flight. */
export function isLongRunning(exchange: Exchange): boolean {
  return (exchange.method === 'GET' && isTrue(exchange.query.get('watch'))) || /\/(?:proxy|exec|attach|portforward|log)(?:\/|$)/.test(exchange.path);
}

function requestedTimeout(exchange: Exchange): number | undefined {
  const text = exchange.query.get('timeout');
  if (text === null || text === '') return undefined;
  let millis = 0;
  let end = 0;
  durationPart.lastIndex = 0;
  for (let match = durationPart.exec(text); match; match = durationPart.exec(text)) {
    millis += Number(match[1]) * unitMillis[match[2]!]!;
    end = durationPart.lastIndex;
  }
  if (end !== text.length || millis <= 0) throw badRequest(`parameter timeout must be a duration such as "30s", not ${JSON.stringify(text)}`);
  return millis;
}
