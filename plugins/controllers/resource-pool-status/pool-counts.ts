import type {ResourceClaim, ResourceSlice} from '../../../sdk/types/unchecked/resource/v1.js';
import type {PoolStatus} from '../../../sdk/types/unchecked/resource/v1alpha3.js';

/** Longest text about a pool that is not complete, in bytes. */
const longestFault = 256;

interface Pool {
  readonly name: string;
  generation: number;
  /** Undefined if the slices are of several nodes, empty if they are of none. */
  node: string | undefined;
  devices: number;
  slices: number;
  expected: number;
}

/** Counts the devices of a driver's pools. Of each pool the slices of the highest generation count. */
export class PoolCounts {
  readonly #pools = new Map<string, Pool>();
  readonly #allocated = new Map<string, number>();
  readonly #driver: string;
  readonly #only: string;

  /** @param only name of the one pool that is looked at; empty: all */
  constructor(driver: string, only: string) {
    this.#driver = driver;
    this.#only = only;
  }

  addSlice({spec}: ResourceSlice): void {
    const {name = '', generation = 0, resourceSliceCount: expected = 0} = spec?.pool ?? {};
    if (!this.#counts(spec?.driver, name)) return;
    const node = spec?.nodeName ?? '';
    const devices = spec?.devices?.length ?? 0;
    const pool = this.#pools.get(name);
    if (!pool || generation > pool.generation) this.#pools.set(name, {name, generation, node, devices, slices: 1, expected});
    else if (generation === pool.generation) {
      pool.devices += devices;
      pool.slices += 1;
      if (pool.node !== node) pool.node = undefined;
    }
  }

  addClaim({status}: ResourceClaim): void {
    for (const {driver, pool = ''} of status?.allocation?.devices?.results ?? [])
      if (this.#counts(driver, pool)) this.#allocated.set(pool, (this.#allocated.get(pool) ?? 0) + 1);
  }

  /** All pools, by name. */
  pools(): PoolStatus[] {
    return [...this.#pools.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)).map((pool) => this.#statusOf(pool));
  }

  #counts(driver: string | undefined, pool: string): boolean {
    return driver === this.#driver && (this.#only === '' || this.#only === pool);
  }

  #statusOf({name, generation, node, devices, slices, expected}: Pool): PoolStatus {
    const pool = {driver: this.#driver, poolName: name, generation, ...(node ? {nodeName: node} : {})};
    if (slices < expected) {
      const text = `pool ${this.#driver}/${name} is incomplete: observed ${slices}/${expected} slices at generation ${generation}`;
      return {...pool, validationError: text.slice(0, longestFault)};
    }
    const allocated = this.#allocated.get(name) ?? 0;
    return {
      ...pool,
      resourceSliceCount: slices,
      totalDevices: devices,
      allocatedDevices: allocated,
      availableDevices: Math.max(0, devices - allocated),
      // Nobody here knows more of a device than whether it is allocated.
      unavailableDevices: 0,
    };
  }
}
