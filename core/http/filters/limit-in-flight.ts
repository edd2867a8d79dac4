import {tooManyRequests} from '../../../sdk/index.js';
import {isLongRunning} from '../long-running.js';
import type {Filter} from './filter.js';

/** How many requests are served at once; Kubernetes' defaults. */
export interface InFlightLimits {
  readonly reads: number;
  readonly writes: number;
}

export const defaultInFlightLimits: InFlightLimits = {reads: 400, writes: 200};

/** Answers 429 with `Retry-After` when as many requests of a kind are under way as the server takes. */
export function limitInFlight(limits: InFlightLimits = defaultInFlightLimits): Filter {
  const inFlight = {reads: 0, writes: 0};
  return async (exchange, next) => {
    if (isLongRunning(exchange)) return next();
    const kind = exchange.method === 'GET' || exchange.method === 'HEAD' ? 'reads' : 'writes';
    if (inFlight[kind] >= limits[kind]) throw tooManyRequests(`too many ${kind} are under way, please try again later`, 1);
    inFlight[kind] += 1;
    try {
      await next();
    } finally {
      exchange.whenFinished(() => (inFlight[kind] -= 1));
    }
  };
}
