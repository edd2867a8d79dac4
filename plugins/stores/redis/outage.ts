import type {Logger} from '../../../sdk/index.js';
import {problemText} from './redis-errors.js';

/**
 * State shared by the connections of one shard while some of them fail. They fail together, so the failure is logged once for all of them,
 * and when one of them succeeds the others retry at once.
 */
export class Outage {
  readonly #failing = new Set<object>();
  readonly #pauses = new Set<() => void>();
  readonly #server: string;
  readonly #logger: Logger;

  /** @param server host and port, for messages */
  constructor(server: string, logger: Logger) {
    this.#server = server;
    this.#logger = logger;
  }

  /** Notes that an attempt to connect failed, and says so when it is the first one of all. */
  failed(link: object, purpose: string, error: unknown): void {
    if (this.#failing.size === 0) this.#logger.warn({purpose}, problemText(error, this.#server));
    this.#failing.add(link);
  }

  /** Notes that a link is connected. The last failed one logs the recovery; links that pause before their next attempt make it now. */
  connected(link: object): void {
    if (this.#failing.delete(link) && this.#failing.size === 0) this.#logger.info({}, `connected to Redis at ${this.#server} again`);
    for (const end of this.#pauses) end();
  }

  /** Resolves after a time, when another link is connected, or when the signal is aborted. */
  async pause(millis: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const {promise, resolve} = Promise.withResolvers<void>();
    const end = (): void => resolve();
    const timer = setTimeout(end, millis);
    this.#pauses.add(end);
    signal.addEventListener('abort', end);
    await promise;
    clearTimeout(timer);
    this.#pauses.delete(end);
    signal.removeEventListener('abort', end);
  }
}
