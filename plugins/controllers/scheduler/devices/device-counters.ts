import type {DevicePool, PooledDevice} from './device-pools.js';
import {amountOf} from './device-amounts.js';

/** What is left of the counters of pools while devices are chosen. */
export class CountersLeft {
  /** By pool, set and counter. */
  readonly #left = new Map<string, Map<string, Map<string, bigint>>>();
  readonly #isInUse: (id: string) => boolean;

  /** @param isInUse whether a device has been given to a claim */
  constructor(isInUse: (id: string) => boolean) {
    this.#isInUse = isInUse;
  }

  /** Takes what a device needs of its pool. Answers whether it is there; otherwise nothing is taken. */
  take(device: PooledDevice, pool: DevicePool): boolean {
    const needs = device.device.consumesCounters ?? [];
    if (needs.length === 0) return true;
    const sets = this.#of(pool);
    change(sets, device, -1n);
    if (needs.every(({counterSet = ''}) => [...(sets.get(counterSet)?.values() ?? [])].every((left) => left >= 0n))) return true;
    change(sets, device, 1n);
    return false;
  }

  giveBack(device: PooledDevice, pool: DevicePool): void {
    if ((device.device.consumesCounters ?? []).length > 0) change(this.#of(pool), device, 1n);
  }

  #of(pool: DevicePool): Map<string, Map<string, bigint>> {
    let sets = this.#left.get(pool.id);
    if (!sets) {
      sets = new Map([...pool.counters].map(([name, counters]) => [name, new Map(counters)]));
      for (const device of [...pool.devices, ...pool.others]) if (this.#isInUse(device.id)) change(sets, device, -1n);
      this.#left.set(pool.id, sets);
    }
    return sets;
  }
}

function change(sets: Map<string, Map<string, bigint>>, {device}: PooledDevice, sign: bigint): void {
  for (const {counterSet = '', counters} of device.consumesCounters ?? []) {
    const set = sets.get(counterSet);
    for (const [name, {value}] of Object.entries(counters ?? {})) set?.set(name, (set.get(name) ?? 0n) + sign * amountOf(value));
  }
}
