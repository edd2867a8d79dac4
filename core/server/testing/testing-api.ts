import type {NamingProfile, Store} from '../../../sdk/index.js';
import type {ResourceCatalog} from '../../api/types/resource-catalog.js';
import type {RegisteredRoute} from '../../http/handlers/serve-routes.js';
import type {Storage} from '../../storage/storage.js';
import type {MovableClock} from './movable-clock.js';
import {StoreSnapshots} from './store-snapshots.js';
import {testingRoutes, type TestingActions} from './testing-routes.js';

/** What only servers for tests have. */
export class TestingApi implements TestingActions {
  readonly snapshots: StoreSnapshots;
  readonly routes: readonly RegisteredRoute[];
  readonly #clock: MovableClock;
  readonly #storage: Storage;

  constructor(store: Store, storage: Storage, catalog: ResourceCatalog, naming: NamingProfile, clock: MovableClock) {
    this.#clock = clock;
    this.#storage = storage;
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
