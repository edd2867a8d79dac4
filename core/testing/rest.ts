import {setImmediate as turn} from 'node:timers/promises';
import type {CooperativeScheduler} from '../../sdk/index.js';
import type {Storage} from '../storage/storage.js';

/** How a server is found to be at rest. */
export interface RestOptions {
  /** Turns of the event loop, and milliseconds, in which nothing happens. */
  readonly turns: number;
  readonly quietMillis: number;
  /** After which it is given up. */
  readonly timeoutMillis: number;
}

/** Finds out when a server's controllers have nothing left to do: nothing waits for its turn, and all that was written has reached everybody. */
export class Rest {
  readonly #scheduler: CooperativeScheduler;
  readonly #storage: Storage;

  constructor(scheduler: CooperativeScheduler, storage: Storage) {
    this.#scheduler = scheduler;
    this.#storage = storage;
  }

  /** Resolves when the server has been at rest for a while. Answers false if it was not in time. */
  async reached({turns, quietMillis, timeoutMillis}: RestOptions): Promise<boolean> {
    const end = performance.now() + timeoutMillis;
    while (performance.now() < end) {
      if (await this.#isQuiet(turns, quietMillis)) return true;
      await turn();
    }
    return false;
  }

  async #isQuiet(turns: number, millis: number): Promise<boolean> {
    const began = performance.now();
    const before = await this.#mark();
    for (let left = turns; left > 0 || performance.now() - began < millis; left -= 1) {
      if (!this.#scheduler.isIdle) return false;
      await turn();
    }
    return before !== undefined && before === (await this.#mark());
  }

  /** How far everything has come; undefined while the caches are behind the store. */
  async #mark(): Promise<string | undefined> {
    const {shards} = this.#storage.health();
    const latest = await Promise.all(shards.map(async (shard) => shard.latest()));
    if (shards.some(({revision}, index) => revision < latest[index]!)) return undefined;
    return [this.#scheduler.activity.begun, ...latest].join(' ');
  }
}
