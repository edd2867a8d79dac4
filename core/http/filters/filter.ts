import type {Exchange} from '../request/exchange.js';

/**
 * A step of every request: does its part and calls `next`, or answers (or throws) itself. One that has nothing to wait for returns what `next` returns and is not
 * asynchronous itself: a promise and a turn of the microtask queue for each filter cost more than most of them do.
 *
 * `In` is what it must be given, `Out` what it hands on (`stages.ts`).
 */
export type Filter<In extends Exchange = Exchange, Out extends In = In> = (exchange: In, next: Next<Out>) => Promise<void>;

/** What follows a filter. It is the same for all requests: a function of each request's own for each filter was a twentieth of what a read leaves to be collected. */
export type Next<In extends Exchange = Exchange> = (exchange: In) => Promise<void>;

/** Filters in the order in which they run. One that needs what only a later one finds out does not compile. */
export class FilterChain<Out extends Exchange = Exchange> {
  /** What a request meets, for what comes behind the filters. */
  readonly endingIn: (handler: Next<Out>) => Next;

  private constructor(endingIn: (handler: Next<Out>) => Next) {
    this.endingIn = endingIn;
  }

  static begin(): FilterChain {
    return new FilterChain((handler) => handler);
  }

  then<Found extends Out = Out>(filter: Filter<Out, Found>): FilterChain<Found> {
    return new FilterChain((handler) => this.endingIn((exchange) => filter(exchange, handler)));
  }

  /** Adds a filter that there may not be, and that finds nothing out. */
  maybe(filter: Filter<Out> | undefined): FilterChain<Out> {
    return filter ? this.then(filter) : this;
  }
}
