import type {ResourceClaim} from '../../../../sdk/types/unchecked/resource/v1.js';
import type {NamedLabels} from '../../../families/placement/node-terms.js';
import {ChosenConstraint} from './device-constraints.js';
import {addAmounts, consumedCapacity, type Amounts} from './device-capacity.js';
import {CountersLeft} from './device-counters.js';
import {isDeviceFor, type DeviceFeatures, type DevicePool, type PooledDevice} from './device-pools.js';
import {DeviceError, type DeviceDemand, type DeviceWay} from './device-requests.js';
import {isKeptFrom} from './device-taints.js';

/** Most devices of one claim, as in Kubernetes. */
const mostResults = 32;
/** Devices that are tried for a pod on one node: beyond that it is as if time had run out. */
const mostTries = 20_000;

/** A device for a request. */
export interface ChosenDevice {
  readonly way: DeviceWay;
  readonly device: PooledDevice;
  /** What is taken of one that others may have a share of; undefined of one that is given as a whole. */
  readonly share?: Readonly<Record<string, string>> | undefined;
}

export interface SearchedClaim {
  readonly claim: ResourceClaim;
  readonly demands: readonly DeviceDemand[];
}

export interface SearchParts {
  readonly node: NamedLabels;
  readonly pools: readonly DevicePool[];
  readonly claims: readonly SearchedClaim[];
  readonly features: DeviceFeatures;
  /** Whether a device has been given to a claim as a whole. */
  readonly isInUse: (id: string) => boolean;
  /** What claims have taken of a device that they share; undefined if none has a share. */
  readonly sharesOf: (id: string) => Amounts | undefined;
  /** Whether a device is what the class and the request select. @throws DeviceError */
  readonly isSelected: (device: PooledDevice, way: DeviceWay, claim: ResourceClaim) => boolean;
}

interface Open {
  readonly devices: ChosenDevice[];
  readonly constraints: readonly ChosenConstraint[];
  /** By request: the devices of those that want all there are. */
  readonly all: Map<DeviceWay, readonly PlacedDevice[]>;
}

interface PlacedDevice {
  readonly device: PooledDevice;
  readonly pool: DevicePool;
}

/** Where the search has come to. */
interface Position {
  readonly claim: number;
  readonly demand: number;
  /** Undefined before one of the ways is tried. */
  readonly way: DeviceWay | undefined;
  readonly taken: number;
  /** Where to go on among all devices: those before were tried for the one before. */
  readonly from: number;
}

const noAmounts: Amounts = new Map();

/** Looks for devices for all claims of a pod on a node, one after the other and in all orders, and takes the first that go together. */
export class DeviceSearch {
  readonly #parts: SearchParts;
  readonly #open: readonly Open[];
  readonly #counters: CountersLeft;
  /** Of the pools that are complete. */
  readonly #devices: readonly PlacedDevice[];
  /** What is taken in this search of devices that claims share. */
  readonly #shares = new Map<string, Map<string, bigint>>();
  /** Devices that are taken in this search, by how many claims. */
  readonly #taken = new Map<string, number>();
  readonly #selected = new Map<DeviceWay, Map<string, boolean>>();
  #tries = 0;

  constructor(parts: SearchParts) {
    this.#parts = parts;
    this.#counters = new CountersLeft((id) => parts.isInUse(id) || parts.sharesOf(id) !== undefined);
    this.#devices = parts.pools.flatMap((pool) =>
      pool.isIncomplete || pool.isInvalid ? [] : pool.devices.map((device) => ({device, pool})),
    );
    this.#open = parts.claims.map(({claim}) => ({
      devices: [],
      constraints: (claim.spec?.devices?.constraints ?? []).map((constraint) => new ChosenConstraint(constraint)),
      all: new Map(),
    }));
  }

  /** The devices of each claim; undefined if there are not enough. @throws DeviceError for a claim that cannot be met, whatever there is */
  run(): readonly (readonly ChosenDevice[])[] | undefined {
    const {claims, pools} = this.#parts;
    for (const [index, {claim, demands}] of claims.entries()) {
      const least = demands.reduce((sum, {ways}) => sum + Math.min(...ways.map((way) => this.#countOf(index, claim, way))), 0);
      if (least > mostResults)
        throw new DeviceError(`claim ${keyOf(claim)}: number of requested devices ${least} exceeds the claim limit of ${mostResults}`);
    }
    if (this.#next({claim: 0, demand: 0, way: undefined, taken: 0, from: 0})) return this.#open.map(({devices}) => devices);
    if (pools.some(({isInvalid}) => isInvalid)) throw new DeviceError('invalid resource pools were encountered');
    return undefined;
  }

  #countOf(index: number, claim: ResourceClaim, way: DeviceWay): number {
    if (!way.wantsAll) return way.count;
    const all: PlacedDevice[] = [];
    for (const pool of this.#parts.pools) {
      const state = pool.isIncomplete ? 'being updated' : pool.isInvalid ? 'invalid' : undefined;
      if (state !== undefined)
        throw new DeviceError(
          `claim ${keyOf(claim)}, request ${ownName(way)}: asks for all devices, but resource pool ${pool.id} is currently ${state}`,
        );
      for (const device of pool.devices)
        if (this.#isSelected(device, way, claim) && this.#hasCapacity(device, way)) all.push({device, pool});
    }
    this.#open[index]!.all.set(way, all);
    return all.length;
  }

  #hasCapacity(device: PooledDevice, {capacity}: DeviceWay): boolean {
    return !this.#parts.features.hasShares || consumedCapacity(device.device, capacity, this.#sharesOf(device.id)) !== undefined;
  }

  #next(position: Position): boolean {
    const {claims} = this.#parts;
    const {claim: index, demand, way, taken} = position;
    const searched = claims[index];
    if (!searched) return true;
    const wanted = searched.demands[demand];
    if (!wanted) return this.#next({claim: index + 1, demand: 0, way: undefined, taken: 0, from: 0});
    if (!way) return wanted.ways.some((one) => this.#next({...position, way: one, taken: 0, from: 0}));
    const {devices, all} = this.#open[index]!;
    const every = all.get(way);
    if (every?.length === 0) return false;
    const count = every?.length ?? way.count;
    if (taken >= count) return this.#next({claim: index, demand: demand + 1, way: undefined, taken: 0, from: 0});
    if (devices.length + count - taken > mostResults) return false;
    if (every) return this.#try(position, every[taken]!, way);
    for (let at = position.from; at < this.#devices.length; at += 1) {
      const placed = this.#devices[at]!;
      if (this.#isTaken(placed.device, way, index) || !this.#isSelected(placed.device, way, searched.claim)) continue;
      if (this.#try({...position, from: at + 1}, placed, way)) return true;
    }
    return false;
  }

  /** Takes a device and goes on; gives it back if that leads nowhere. @param position from which to go on */
  #try(position: Position, {device, pool}: PlacedDevice, way: DeviceWay): boolean {
    const {node, features} = this.#parts;
    if ((this.#tries += 1) > mostTries) throw new DeviceError(`node ${node.name}: timed out trying to allocate devices`);
    const {constraints} = this.#open[position.claim]!;
    if (this.#isTaken(device, way, position.claim)) return false;
    if (features.hasTaints && isKeptFrom(device.device, way.tolerations)) return false;
    const isShared = this.#isShared(device);
    const portions = features.hasShares ? consumedCapacity(device.device, way.capacity, this.#sharesOf(device.id)) : {};
    if (!portions) return false;
    // Whoever has a share of it has taken what all of it needs.
    const needsCounters = !isShared || !this.#isShareTaken(device.id);
    if (needsCounters && !this.#counters.take(device, pool)) return false;
    const refusing = constraints.findIndex((constraint) => !constraint.add(way, device));
    const added = refusing < 0 ? constraints : constraints.slice(0, refusing);
    if (refusing < 0 && this.#takeAndGoOn(position, {way, device, ...(isShared ? {share: portions} : {})})) return true;
    for (const constraint of added) constraint.remove(way);
    if (needsCounters) this.#counters.giveBack(device, pool);
    if (refusing >= 0 && way.wantsAll)
      throw new DeviceError(
        `claim ${keyOf(this.#parts.claims[position.claim]!.claim)}, request ${ownName(way)}: cannot add device ${device.id} because a claim constraint would not be satisfied`,
      );
    return false;
  }

  #takeAndGoOn(position: Position, chosen: ChosenDevice): boolean {
    const {devices} = this.#open[position.claim]!;
    const {device, share} = chosen;
    devices.push(chosen);
    this.#note(device.id, share, 1);
    if (this.#next({...position, taken: position.taken + 1})) return true;
    devices.pop();
    this.#note(device.id, share, -1);
    return false;
  }

  /** A device is taken, or not any more. */
  #note(id: string, share: ChosenDevice['share'], sign: 1 | -1): void {
    const key = share ? shareKey(id) : id;
    this.#taken.set(key, (this.#taken.get(key) ?? 0) + sign);
    if (!share) return;
    const sums = this.#shares.get(id) ?? new Map<string, bigint>();
    this.#shares.set(id, sums);
    addAmounts(sums, share, BigInt(sign));
  }

  #isShared({device}: PooledDevice): boolean {
    return this.#parts.features.hasShares && device.allowMultipleAllocations === true;
  }

  #isShareTaken(id: string): boolean {
    return this.#parts.sharesOf(id) !== undefined || (this.#taken.get(shareKey(id)) ?? 0) > 0;
  }

  /** What is taken of a device that claims share, by others and in this search. */
  #sharesOf(id: string): Amounts {
    const before = this.#parts.sharesOf(id) ?? noAmounts;
    const own = this.#shares.get(id);
    if (!own) return before;
    const sums = new Map(before);
    for (const [name, amount] of own) sums.set(name, (sums.get(name) ?? 0n) + amount);
    return sums;
  }

  /** Who only watches a device may have one that is in use. */
  #isTaken({id}: PooledDevice, {isAdmin}: DeviceWay, claim: number): boolean {
    if (isAdmin) return this.#open[claim]!.devices.some(({device, share}) => device.id === id && !share);
    return this.#parts.isInUse(id) || (this.#taken.get(id) ?? 0) > 0;
  }

  #isSelected(device: PooledDevice, way: DeviceWay, claim: ResourceClaim): boolean {
    let known = this.#selected.get(way);
    if (!known) this.#selected.set(way, (known = new Map()));
    let answer = known.get(device.id);
    if (answer === undefined) known.set(device.id, (answer = this.#select(device, way, claim)));
    return answer;
  }

  #select(device: PooledDevice, way: DeviceWay, claim: ResourceClaim): boolean {
    const {node, features, isSelected} = this.#parts;
    if (!features.hasConditions && (device.device.bindingConditions ?? []).length > 0) return false;
    if (!isSelected(device, way, claim)) return false;
    return device.slice.spec?.perDeviceNodeSelection !== true || isDeviceFor(device.device, node);
  }
}

/** A share of a device is taken beside the device itself. */
function shareKey(id: string): string {
  return `share of ${id}`;
}

function ownName({name}: DeviceWay): string {
  return name.slice(name.indexOf('/') + 1);
}

function keyOf({metadata}: ResourceClaim): string {
  return `${metadata.namespace}/${metadata.name}`;
}
