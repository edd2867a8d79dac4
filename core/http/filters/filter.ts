import type {Exchange} from '../request/exchange.js';

/**
 * A step of every request: does its part and calls `next`, or answers (or throws) itself. One that has nothing to wait for returns what `next` returns and is not
 * asynchronous itself: a promise and a turn of the microtask queue for each filter cost more than most of them do.
 */
export type Filter = (exchange: Exchange, next: Next) => Promise<void>;

/** What follows a filter. It is the same for all requests: a function of each request's own for each filter was a twentieth of what a read leaves to be collected. */
export type Next = (exchange: Exchange) => Promise<void>;

/** Combines filters, in execution order, and the final handler into one function. */
export function chain(filters: readonly Filter[], handler: (exchange: Exchange) => Promise<void>): (exchange: Exchange) => Promise<void> {
  return filters.reduceRight<(exchange: Exchange) => Promise<void>>((next, filter) => (exchange) => filter(exchange, next), handler);
}
