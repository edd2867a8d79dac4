import type {NamingProfile} from '../../sdk/index.js';
import type {ResourceCatalog} from '../api/types/resource-catalog.js';
import type {RegisteredRoute} from '../http/handlers/serve-routes.js';
import type {Storage} from '../storage/storage.js';
import type {MovableClock} from './movable-clock.js';
import type {StoreFaults} from './store-faults.js';
import {StoreSnapshots} from './store-snapshots.js';
import {testingRoutes, type TestingActions} from './testing-routes.js';

export interface TestingParts {
  readonly store: StoreFaults;
  readonly storage: Storage;
  readonly catalog: ResourceCatalog;
  readonly naming: NamingProfile;
  readonly clock: MovableClock;
  /** Cuts the connections of all watches. */
  readonly cutWatches: () => void;
}

/** What only servers for tests have. */
export class TestingApi implements TestingActions {
  readonly snapshots: StoreSnapshots;
  readonly faults: StoreFaults;
  /** Cuts the connections of all watches. */
  readonly cutWatches: () => void;
  readonly routes: readonly RegisteredRoute[];
  readonly #clock: MovableClock;
  readonly #storage: Storage;

  constructor({store, storage, catalog, naming, clock, cutWatches}: TestingParts) {
    this.#clock = clock;
    this.#storage = storage;
    this.faults = store;
    this.cutWatches = cutWatches;
    this.snapshots = new StoreSnapshots(store, catalog, naming);
    this.routes = testingRoutes(this);
  }

  /** Puts the server's clock forward; objects that have outlived their time are gone when it resolves. @returns the new time */
  async advance(milliseconds: number): Promise<number> {
    this.#clock.advance(milliseconds);
    this.#storage.tick();
    await this.#storage.expireObjects();
    return this.#clock.now();
  }
}
