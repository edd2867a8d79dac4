import {badRequest, timeout, type NamingProfile} from '../../../sdk/index.js';
import type {Exchange} from '../exchange.js';
import {isLongRunning} from '../long-running.js';
import {sendError} from '../representation/status.js';
import type {Filter} from './filter.js';

/** Time a request may take unless it asks for less with `timeout`. Watches and proxied connections have their own end. */
export const longestRequestMillis = 60_000;
const durationPart = /(\d+(?:\.\d+)?)(ms|s|m|h|us|µs|ns)/gy;
const unitMillis: Readonly<Record<string, number>> = {ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000};

/** Answers 504 when a request takes too long, and tells the work behind it to end. Also ends that work when the client goes away. */
export function limitTime(naming: NamingProfile, maximumMillis = longestRequestMillis): Filter {
  return async (exchange, next) => {
    if (isLongRunning(exchange)) return next();
    const millis = Math.min(maximumMillis, requestedTimeout(exchange) || maximumMillis, timeoutSeconds(exchange) * 1000 || maximumMillis);
    exchange.timeLimitMillis = millis;
    const timer = setTimeout(() => {
      exchange.abort();
      void sendError(exchange, timeout(`the request did not complete within ${millis / 1000} s`), naming);
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

/** The parameter `timeout` in milliseconds, 0 without one. @throws 400 for a text that is no duration */
function requestedTimeout(exchange: Exchange): number {
  const text = exchange.query.get('timeout');
  if (text === null || text === '' || text === '0') return 0;
  let millis = 0;
  let end = 0;
  durationPart.lastIndex = 0;
  for (let match = durationPart.exec(text); match; match = durationPart.exec(text)) {
    millis += Number(match[1]) * unitMillis[match[2]!]!;
    end = durationPart.lastIndex;
  }
  if (end !== text.length) throw badRequest(`parameter timeout must be a duration such as "30s", not ${JSON.stringify(text)}`);
  return millis;
}

/** The parameter `timeoutSeconds` of lists and of deletions of collections, 0 without one; what is no number is refused where it is read. */
function timeoutSeconds({query}: Exchange): number {
  return Number(/^\d{1,6}$/.exec(query.get('timeoutSeconds') ?? '')?.[0] ?? 0);
}
