import {AsyncLocalStorage} from 'node:async_hooks';

/** A unit whose failures are attributed to it. */
export interface Failing {
  /** Called with an error that the context's code did not catch. */
  crashed(error: unknown): void;
}

/** The controller whose code runs; undefined for code of the server. */
const context = new AsyncLocalStorage<Failing | undefined>();

/** Runs code of a controller, so that errors from its timers and unhandled promises are attributed to it. */
export function inside<T>(owner: Failing, work: () => T): T {
  return context.run(owner, work);
}

/** Runs the server's own code, even if a controller calls it. */
export function outside<T>(work: () => T): T {
  return context.getStore() === undefined ? work() : context.run(undefined, work);
}

/** Whose code was running; undefined if it was the server's. */
export function currentOwner(): Failing | undefined {
  return context.getStore();
}
