import type {AllocationResult} from '../../../../sdk/types/unchecked/resource/v1.js';
import {addAmounts, type Amounts} from './device-capacity.js';
import {deviceId} from './device-pools.js';

/** A device that a claim has, or a share of it. */
export interface UsedDevice {
  readonly id: string;
  /** What is taken of one that claims share; undefined of one that is given as a whole. */
  readonly share: Readonly<Record<string, unknown>> | undefined;
}

interface Shares {
  count: number;
  readonly amounts: Map<string, bigint>;
}

/** The devices of an allocation. Who only watches one does not take it. @param hasShares whether claims can share devices */
export function usedDevices({devices}: AllocationResult, hasShares: boolean): UsedDevice[] {
  return (devices?.results ?? [])
    .filter(({adminAccess}) => adminAccess !== true)
    .map(({driver = '', pool = '', device = '', shareID, consumedCapacity}) => ({
      id: deviceId(driver, pool, device),
      share: hasShares && shareID ? (consumedCapacity ?? {}) : undefined,
    }));
}

/** What of all devices has been given to claims. */
export class UsedDevices {
  /** How many claims have a device as a whole. */
  readonly #whole = new Map<string, number>();
  readonly #shares = new Map<string, Shares>();

  isInUse(id: string): boolean {
    return this.#whole.has(id);
  }

  /** What is taken of a device that claims share; undefined if none has a share. */
  sharesOf(id: string): Amounts | undefined {
    return this.#shares.get(id)?.amounts;
  }

  add(devices: readonly UsedDevice[]): void {
    for (const device of devices) this.#change(device, 1);
  }

  remove(devices: readonly UsedDevice[]): void {
    for (const device of devices) this.#change(device, -1);
  }

  #change({id, share}: UsedDevice, more: 1 | -1): void {
    if (!share) {
      const users = (this.#whole.get(id) ?? 0) + more;
      if (users > 0) this.#whole.set(id, users);
      else this.#whole.delete(id);
      return;
    }
    const shares = this.#shares.get(id) ?? {count: 0, amounts: new Map<string, bigint>()};
    shares.count += more;
    addAmounts(shares.amounts, share, BigInt(more));
    if (shares.count > 0) this.#shares.set(id, shares);
    else this.#shares.delete(id);
  }
}
