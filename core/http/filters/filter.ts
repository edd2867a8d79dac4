import type {Exchange} from '../request/exchange.js';

/**
 * A step of every request: does its part and calls `next`, or answers (or throws) itself. One that has nothing to wait for returns what `next` returns and is not
 * asynchronous itself: a promise and a turn of the microtask queue for each filter cost more than most of them do.
 */
export type Filter = (exchange: Exchange, next: () => Promise<void>) => Promise<void>;

/** Combines filters, in execution order, and the final handler into one function. */
export function chain(filters: readonly Filter[], handler: (exchange: Exchange) => Promise<void>): (exchange: Exchange) => Promise<void> {
  return filters.reduceRight<(exchange: Exchange) => Promise<void>>(
    (next, filter) => (exchange) => filter(exchange, () => next(exchange)),
    handler,
  );
}
