import type {FeatureGates} from '../../../../sdk/index.js';
import type {Device, ResourceSlice} from '../../../../sdk/types/unchecked/resource/v1.js';
import {termsPredicate, type NamedLabels} from '../../../families/placement/node-terms.js';
import {amountOf} from './device-amounts.js';

/** What of devices a release takes into account. */
export interface DeviceFeatures {
  readonly hasAlternatives: boolean;
  readonly hasAdminAccess: boolean;
  readonly hasTaints: boolean;
  /** Devices that use up counters in common, and those that say themselves from where they can be used. */
  readonly hasCounters: boolean;
  /** Devices that several claims share, and claims that ask for a capacity. */
  readonly hasShares: boolean;
  /** Devices that wait for conditions before a pod gets its node. */
  readonly hasConditions: boolean;
}

export function deviceFeatures(gates: Pick<FeatureGates, 'enabled'>): DeviceFeatures {
  return {
    hasAlternatives: gates.enabled('DRAPrioritizedList'),
    hasAdminAccess: gates.enabled('DRAAdminAccess'),
    hasTaints: gates.enabled('DRADeviceTaints'),
    hasCounters: gates.enabled('DRAPartitionableDevices'),
    hasShares: gates.enabled('DRAConsumableCapacity'),
    hasConditions: gates.enabled('DRADeviceBindingConditions') && gates.enabled('DRAResourceClaimDeviceStatus'),
  };
}

/** Amounts of counters, by the set and by the counter. */
export type Counters = ReadonlyMap<string, ReadonlyMap<string, bigint>>;

/** A device in its pool. */
export interface PooledDevice {
  /** Unique among all devices. */
  readonly id: string;
  readonly driver: string;
  readonly pool: string;
  readonly device: Device;
  readonly slice: ResourceSlice;
}

/** The devices of a driver that belong together, as far as a node can use them. */
export interface DevicePool {
  /** `DRIVER/POOL`. */
  readonly id: string;
  /** Some of its slices are not there: it is being changed. */
  readonly isIncomplete: boolean;
  /** Its slices contradict one another. */
  readonly isInvalid: boolean;
  readonly devices: readonly PooledDevice[];
  /** Those that other nodes use: they take from the same counters. */
  readonly others: readonly PooledDevice[];
  readonly counters: Counters;
}

/** Names a device among all devices. */
export function deviceId(driver: string, pool: string, device: string): string {
  return `${driver}/${pool}/${device}`;
}

/** The pools with devices that a node can use. Slices that are outdated do not count. @param slices those that may be for the node */
export function poolsOf(
  slices: readonly ResourceSlice[],
  slicesOf: (pool: string) => readonly ResourceSlice[],
  node: NamedLabels,
  features: DeviceFeatures,
): DevicePool[] {
  const pools = new Map<string, ResourceSlice[]>();
  for (const slice of slices) {
    if (!isFor(slice, node, features)) continue;
    const id = poolId(slice);
    const others = pools.get(id);
    const newer = others ? generationOf(slice) - generationOf(others[0]!) : 0;
    if (!others || newer > 0) pools.set(id, [slice]);
    else if (newer === 0) others.push(slice);
  }
  return [...pools].flatMap(([id, own]) => poolOf(id, own, slicesOf, features) ?? []);
}

/** Whether a node can use a device of a slice in which each device says so itself. */
export function isDeviceFor(
  {nodeName, allNodes, nodeSelector}: Pick<Device, 'nodeName' | 'allNodes' | 'nodeSelector'>,
  node: NamedLabels,
): boolean {
  if (nodeName) return nodeName === node.name;
  return allNodes === true || (nodeSelector ? termsPredicate(nodeSelector.nodeSelectorTerms)(node) : false);
}

function isFor({spec}: ResourceSlice, node: NamedLabels, {hasCounters}: DeviceFeatures): boolean {
  if (!spec) return false;
  const hasSets = (spec.sharedCounters ?? []).length > 0;
  const isPerDevice = spec.perDeviceNodeSelection === true;
  if (!hasCounters && (hasSets || isPerDevice)) return false;
  if (hasSets) return true;
  return isPerDevice ? (spec.devices ?? []).some((device) => isDeviceFor(device, node)) : isDeviceFor(spec, node);
}

/** Undefined for one that is about to be replaced by slices of which none is for the node. */
function poolOf(
  id: string,
  own: readonly ResourceSlice[],
  slicesOf: (pool: string) => readonly ResourceSlice[],
  {hasCounters}: DeviceFeatures,
): DevicePool | undefined {
  const generation = generationOf(own[0]!);
  const count = Number(own[0]!.spec?.pool?.resourceSliceCount ?? 0);
  const rest = own.length === count ? [] : slicesOf(id).filter((slice) => !own.includes(slice));
  if (rest.some((slice) => generationOf(slice) > generation)) return undefined;
  const others = rest.filter((slice) => generationOf(slice) === generation);
  const empty = {id, isIncomplete: false, isInvalid: false, devices: [], others: [], counters: new Map()};
  if (own.length + others.length !== count) return {...empty, isIncomplete: true};
  const devices = own.flatMap(devicesOf);
  const counters = hasCounters ? countersOf(own) : new Map();
  const isInvalid =
    new Set(devices.map(({device}) => device.name)).size < devices.length ||
    (hasCounters &&
      (counters === undefined || ![...devices, ...others.flatMap(devicesOf)].every(({device}) => hasAllCounters(device, counters))));
  if (isInvalid) return {...empty, isInvalid};
  return {...empty, devices, others: others.flatMap(devicesOf), counters: counters!};
}

/** `DRIVER/POOL`. */
export function poolId({spec}: ResourceSlice): string {
  return `${spec?.driver ?? ''}/${spec?.pool?.name ?? ''}`;
}

function generationOf({spec}: ResourceSlice): number {
  return Number(spec?.pool?.generation ?? 0);
}

function devicesOf(slice: ResourceSlice): PooledDevice[] {
  const {driver = '', pool, devices} = slice.spec ?? {};
  const name = pool?.name ?? '';
  return (devices ?? []).map((device) => ({id: deviceId(driver, name, device.name ?? ''), driver, pool: name, device, slice}));
}

/** Undefined if two sets have one name. */
function countersOf(slices: readonly ResourceSlice[]): Map<string, Map<string, bigint>> | undefined {
  const sets = new Map<string, Map<string, bigint>>();
  for (const {name = '', counters} of slices.flatMap(({spec}) => spec?.sharedCounters ?? [])) {
    if (sets.has(name)) return undefined;
    sets.set(name, new Map(Object.entries(counters ?? {}).map(([counter, {value}]) => [counter, amountOf(value)])));
  }
  return sets;
}

function hasAllCounters({consumesCounters}: Device, sets: Counters | undefined): boolean {
  return (consumesCounters ?? []).every(({counterSet = '', counters}) => {
    const set = sets?.get(counterSet);
    return set !== undefined && Object.keys(counters ?? {}).every((counter) => set.has(counter));
  });
}
