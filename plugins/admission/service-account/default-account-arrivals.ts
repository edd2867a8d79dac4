import type {ObjectCache, ObjectInCache, ResourceRef} from '../../../sdk/index.js';

/** The account of pods that name none. Every namespace has it soon after its creation. */
export const defaultAccount = 'default';

export const serviceAccounts: ResourceRef = {group: '', version: 'v1', resource: 'serviceaccounts'};

/** How long nobody may have made a default account, in milliseconds, before it is taken that nobody makes any. */
const patienceMillis = 5000;
/** How long a pod waits at most, whatever is made meanwhile. */
const longestWaitMillis = 30_000;

/**
 * Waits for default accounts. A controller makes them one after the other: after a burst of namespaces, or on a busy machine, it takes a while until it
 * comes to a namespace. As long as others get theirs, it is on its way.
 */
export class DefaultAccountArrivals {
  readonly #cache: ObjectCache;
  /** Who waits, by namespace. */
  readonly #waiting = new Map<string, Set<() => void>>();
  /** When an account was last made, by `performance.now()`. */
  #last = 0;
  #following: AbortController | undefined;

  constructor(cache: ObjectCache) {
    this.#cache = cache;
  }

  /** Resolves when a namespace has its default account, or when there is no use in waiting on, which is so at once after `signal` has fired. */
  async wait(namespace: string, signal: AbortSignal | undefined): Promise<void> {
    const {promise, resolve} = Promise.withResolvers<void>();
    const arrived = (): void => resolve();
    signal?.addEventListener('abort', arrived, {once: true});
    const timer = this.#lookLater(performance.now(), arrived);
    try {
      this.#add(namespace, arrived);
      // It may have come while nobody waited for it yet.
      if (signal?.aborted || this.#cache.find(serviceAccounts, namespace, defaultAccount)) arrived();
      await promise;
    } finally {
      timer.end();
      signal?.removeEventListener('abort', arrived);
      this.#remove(namespace, arrived);
    }
  }

  #lookLater(began: number, giveUp: () => void): {end(): void} {
    let timer: NodeJS.Timeout;
    const look = (): void => {
      const now = performance.now();
      const left = Math.min(began + longestWaitMillis, Math.max(began, this.#last) + patienceMillis) - now;
      if (left <= 0) giveUp();
      else timer = setTimeout(look, left);
    };
    look();
    return {end: () => clearTimeout(timer)};
  }

  #add(namespace: string, arrived: () => void): void {
    const those = this.#waiting.get(namespace) ?? new Set();
    this.#waiting.set(namespace, those.add(arrived));
    if (this.#following) return;
    this.#following = new AbortController();
    let isBeginning = true;
    const changed = ({namespace: its, name}: ObjectInCache, previous?: ObjectInCache): void => {
      if (name !== defaultAccount || previous) return;
      if (!isBeginning) this.#last = performance.now();
      for (const call of this.#waiting.get(its) ?? []) call();
    };
    const beginning = (is: boolean) => (): void => void (isBeginning = is);
    this.#cache.follow(
      serviceAccounts,
      {changed, deleted: () => undefined, listed: beginning(false), reset: beginning(true), ended: () => undefined},
      this.#following.signal,
    );
  }

  #remove(namespace: string, arrived: () => void): void {
    const those = this.#waiting.get(namespace);
    those?.delete(arrived);
    if (those?.size === 0) this.#waiting.delete(namespace);
    if (this.#waiting.size > 0) return;
    this.#following?.abort();
    this.#following = undefined;
  }
}
