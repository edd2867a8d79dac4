import {AsyncLocalStorage} from 'node:async_hooks';

/** What may fail in a context of its own. */
export interface Failing {
  /** Called with an error that the context's code did not catch. */
  crashed(error: unknown): void;
}

/** Whose code runs: a controller's, or nobody's that could fail without the server. */
const context = new AsyncLocalStorage<Failing | undefined>();

/** Runs code of a controller: what it throws later, in timers or in promises that nobody waits for, is known to be its own. */
export function inside<T>(owner: Failing, work: () => T): T {
  return context.run(owner, work);
}

/** Runs the server's own code, whoever calls it. */
export function outside<T>(work: () => T): T {
  return context.getStore() === undefined ? work() : context.run(undefined, work);
}

/** Whose code was running; undefined if it was the server's. */
export function currentOwner(): Failing | undefined {
  return context.getStore();
}
