import type {RequestFigures} from '../metrics/request-figures.js';
import type {ResolvedExchange} from '../request/stages.js';
import type {Filter} from './filter.js';

/** Counts every request when its answer has gone out. */
export function countRequests(figures: RequestFigures): Filter {
  return (exchange, next) => {
    exchange.whenFinished(() => figures.finish(exchange));
    return next(exchange);
  };
}

/** Counts requests with a valid path as in progress. */
export function countInFlight(figures: RequestFigures): Filter<ResolvedExchange> {
  return (exchange, next) => {
    figures.begin(exchange);
    return next(exchange);
  };
}
