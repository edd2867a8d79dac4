import {tooManyRequests} from '../../../sdk/index.js';
import {isPublicPath} from '../authentication/anonymous.js';
import type {AuthenticatedExchange} from '../request/stages.js';
import {isLongRunning} from '../request/long-running.js';
import type {Filter} from './filter.js';

/** Maximum concurrent requests; 0 for no limit. */
export interface InFlightLimits {
  readonly reads: number;
  readonly writes: number;
}

const limitOf = {reads: 'maxRequestsInflight', writes: 'maxMutatingRequestsInflight'} as const;
const readVerbs = new Set(['get', 'list', 'watch']);

/**
 * Answers 429 with `Retry-After` if the limit of concurrent requests of a kind is reached, over all callers. These limits apply if
 * priority and fairness is off. Administrators and health paths are counted but always served.
 */
export function limitInFlight(limits: InFlightLimits): Filter<AuthenticatedExchange> {
  const inFlight = {reads: 0, writes: 0};
  return (exchange, next) => {
    if (isLongRunning(exchange)) return next(exchange);
    const kind = readVerbs.has(exchange.info.verb) ? 'reads' : 'writes';
    if (limits[kind] > 0 && inFlight[kind] >= limits[kind] && !isAlwaysServed(exchange)) {
      const {carrier, user} = exchange;
      exchange.terminated = true;
      carrier.acted(limitOf[kind], 'a request was refused', {user: user.username});
      throw tooManyRequests(`too many ${kind} are under way, please try again later`, 1);
    }
    inFlight[kind] += 1;
    exchange.whenFinished(() => (inFlight[kind] -= 1));
    return next(exchange);
  };
}

function isAlwaysServed({user, path}: AuthenticatedExchange): boolean {
  return user.groups.includes('system:masters') || isPublicPath(path);
}
