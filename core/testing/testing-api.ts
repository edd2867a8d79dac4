import {serviceUnavailable, type CooperativeScheduler, type NamingProfile} from '../../sdk/index.js';
import type {ResourceCatalog} from '../api/types/resource-catalog.js';
import type {RegisteredRoute} from '../http/handlers/serve-routes.js';
import type {Storage} from '../storage/storage.js';
import type {MovableClock} from './movable-clock.js';
import {Rest} from './rest.js';
import type {StoreFaults} from './store-faults.js';
import {StoreSnapshots} from './store-snapshots.js';
import {testingRoutes, type TestingActions} from './testing-routes.js';

export interface TestingParts {
  readonly store: StoreFaults;
  readonly storage: Storage;
  readonly catalog: ResourceCatalog;
  readonly naming: NamingProfile;
  readonly clock: MovableClock;
  readonly scheduler: CooperativeScheduler;
  /** Whether the clock goes forward step by step, so that controllers react to one another on the way. */
  readonly inSteps: boolean;
  /** Cuts the connections of all watches. */
  readonly cutWatches: () => void;
}

/** How long a server of a test may take to come to rest. */
const restMillis = 30_000;
/** Steps of one move of the clock at which controllers come to rest. */
const mostSteps = 500;

/** What only servers for tests have. */
export class TestingApi implements TestingActions {
  readonly snapshots: StoreSnapshots;
  readonly faults: StoreFaults;
  /** Cuts the connections of all watches. */
  readonly cutWatches: () => void;
  readonly routes: readonly RegisteredRoute[];
  readonly #clock: MovableClock;
  readonly #storage: Storage;
  readonly #rest: Rest;
  readonly #inSteps: boolean;

  constructor({store, storage, catalog, naming, clock, scheduler, inSteps, cutWatches}: TestingParts) {
    this.#clock = clock;
    this.#storage = storage;
    this.#inSteps = inSteps;
    this.#rest = new Rest(scheduler, storage);
    this.faults = store;
    this.cutWatches = cutWatches;
    this.snapshots = new StoreSnapshots(store, catalog, naming);
    this.routes = testingRoutes(this);
  }

  /** Puts the server's clock forward; objects that have outlived their time are gone when it resolves. @returns the new time */
  async advance(milliseconds: number): Promise<number> {
    if (this.#inSteps) await this.#advanceInSteps(milliseconds);
    else this.#clock.advance(milliseconds);
    this.#storage.tick();
    await this.#storage.expireObjects();
    return this.#clock.now();
  }

  /** Resolves when no controller has work left. @throws StatusError 503 if that takes too long */
  async settled(): Promise<void> {
    const isAtRest = await this.#rest.reached({turns: 5, quietMillis: 20, timeoutMillis: restMillis});
    if (!isAtRest) throw serviceUnavailable(`the server has not come to rest within ${restMillis / 1000} s: its controllers go on writing`);
  }

  /** What is due at a time happens, and what others make of it, before what is due later. */
  async #advanceInSteps(milliseconds: number): Promise<void> {
    const until = this.#clock.now() + milliseconds;
    const least = milliseconds / mostSteps;
    for (;;) {
      const now = this.#clock.now();
      const next = this.#clock.nextCall;
      if (next === undefined || next >= until || now >= until) break;
      this.#clock.advance(Math.min(Math.max(next - now, least), until - now));
      await this.#rest.reached({turns: 3, quietMillis: 0, timeoutMillis: 2000});
    }
    this.#clock.advance(Math.max(until - this.#clock.now(), 0));
    await this.#rest.reached({turns: 3, quietMillis: 0, timeoutMillis: 2000});
  }
}
