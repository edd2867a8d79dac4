import {setTimeout as sleep} from 'node:timers/promises';
import {Backoff, type Logger} from '../../sdk/index.js';

/** Something that makes objects when it is started. */
export interface Bootstrapped {
  bootstrap(): Promise<void>;
}

/**
 * Repeats the bootstrap of a start in a running server when the store has another history than before: its data may be lost, as an
 * operator has accepted. Existing objects are left alone.
 */
export class RenewedStore {
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #again = false;
  readonly #claim: () => Promise<unknown>;
  readonly #parts: Bootstrapped[] = [];
  readonly #logger: Logger;

  /** @param claim records in the store whose it is */
  constructor(claim: () => Promise<unknown>, logger: Logger) {
    this.#claim = claim;
    this.#logger = logger;
  }

  /** Adds parts that repeat their bootstrap, in this order. */
  add(...parts: readonly Bootstrapped[]): void {
    this.#parts.push(...parts);
  }

  /** Called for each shard that has another history. */
  readonly renewed = (): void => {
    this.#again = true;
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
  };

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const {signal} = this.#stopping;
    const backoff = new Backoff({initialMillis: 100, maximumMillis: 5000});
    while (this.#again && !signal.aborted) {
      this.#again = false;
      try {
        await this.#claim();
        for (const part of this.#parts) await part.bootstrap();
      } catch (error) {
        if (signal.aborted) return;
        this.#again = true;
        this.#logger.warn({err: error}, 'what a start makes could not be made again; it is tried again');
        await sleep(backoff.next(), undefined, {signal}).catch(() => undefined);
      }
    }
  }
}
