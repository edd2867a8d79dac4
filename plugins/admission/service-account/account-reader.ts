import {setTimeout as delay} from 'node:timers/promises';
import {ifFound, type ResourceClient, type ResourceRef} from '../../../sdk/index.js';
import type {ServiceAccount} from '../../../sdk/types/unchecked/core/v1.js';

/** The account of pods that name none. Every namespace has it soon after its creation. */
export const defaultAccount = 'default';

const serviceAccounts: ResourceRef = {group: '', version: 'v1', resource: 'serviceaccounts'};

/** How long a pod waits for the default account of its namespace, and the pauses between checks, in milliseconds. */
const longestWait = 3000;
const firstPause = 10;
const longestPause = 150;

/** Reads service accounts for new pods. */
export class AccountReader {
  readonly #resources: ResourceClient;

  constructor(resources: ResourceClient) {
    this.#resources = resources;
  }

  /**
   * An account from the cache, or from the store if it is not cached. Waits for the default account of a new namespace.
   *
   * @param signal ends the wait
   * @returns undefined when there is none
   */
  async read(namespace: string, name: string, signal: AbortSignal | undefined): Promise<ServiceAccount | undefined> {
    const cached = await this.#get(namespace, name, {resourceVersion: '0'});
    if (cached) return cached;
    const deadline = performance.now() + (name === defaultAccount ? longestWait : 0);
    for (let pause = firstPause; ; pause = Math.min(pause * 2, longestPause)) {
      const recent = await this.#get(namespace, name);
      if (recent || signal?.aborted || performance.now() + pause > deadline) return recent;
      await delay(pause);
    }
  }

  async #get(namespace: string, name: string, options?: {resourceVersion: string}): Promise<ServiceAccount | undefined> {
    return (await ifFound(this.#resources.get(serviceAccounts, namespace, name, options))) as ServiceAccount | undefined;
  }
}
