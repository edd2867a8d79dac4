import {ifFound, type ObjectCache, type ResourceClient} from '../../../sdk/index.js';
import type {ServiceAccount} from '../../../sdk/types/unchecked/core/v1.js';
import {defaultAccount, DefaultAccountArrivals, serviceAccounts} from './default-account-arrivals.js';

/** Reads service accounts for new pods. */
export class AccountReader {
  readonly #resources: ResourceClient;
  readonly #arrivals: DefaultAccountArrivals;

  constructor(resources: ResourceClient, cache: ObjectCache) {
    this.#resources = resources;
    this.#arrivals = new DefaultAccountArrivals(cache);
  }

  /**
   * An account from the cache, or from the store if it is not cached. Waits for the default account of a new namespace.
   *
   * @param signal ends the wait
   * @returns undefined when there is none
   */
  async read(namespace: string, name: string, signal: AbortSignal | undefined): Promise<ServiceAccount | undefined> {
    const found = (await this.#get(namespace, name, {resourceVersion: '0'})) ?? (await this.#get(namespace, name));
    if (found || name !== defaultAccount) return found;
    await this.#arrivals.wait(namespace, signal);
    return this.#get(namespace, name);
  }

  async #get(namespace: string, name: string, options?: {resourceVersion: string}): Promise<ServiceAccount | undefined> {
    return (await ifFound(this.#resources.get(serviceAccounts, namespace, name, options))) as ServiceAccount | undefined;
  }
}
