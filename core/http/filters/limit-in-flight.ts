import {tooManyRequests} from '../../../sdk/index.js';
import {isPublicPath} from '../authentication/anonymous.js';
import type {Exchange} from '../request/exchange.js';
import {isLongRunning} from '../request/long-running.js';
import type {Filter} from './filter.js';

/** How many requests are served at once; 0 for any number. */
export interface InFlightLimits {
  readonly reads: number;
  readonly writes: number;
}

const limitOf = {reads: 'maxRequestsInflight', writes: 'maxMutatingRequestsInflight'} as const;
const readVerbs = new Set(['get', 'list', 'watch']);

/**
 * Answers 429 with `Retry-After` when as many requests of a kind are under way as the server takes, whoever makes them: the limits where priority and
 * fairness is turned off. Administrators and health paths are counted, and always served.
 */
export function limitInFlight(limits: InFlightLimits): Filter {
  const inFlight = {reads: 0, writes: 0};
  return async (exchange, next) => {
    if (isLongRunning(exchange)) return next();
    const kind = readVerbs.has(exchange.info.verb) ? 'reads' : 'writes';
    if (limits[kind] > 0 && inFlight[kind] >= limits[kind] && !isAlwaysServed(exchange)) {
      const {carrier, user} = exchange;
      carrier.acted(limitOf[kind], 'a request was refused', {user: user.username});
      throw tooManyRequests(`too many ${kind} are under way, please try again later`, 1);
    }
    inFlight[kind] += 1;
    exchange.whenFinished(() => (inFlight[kind] -= 1));
    await next();
  };
}

function isAlwaysServed({user, path}: Exchange): boolean {
  return user.groups.includes('system:masters') || isPublicPath(path);
}
