import type {ApiObject, ObjectCache} from '../../../../sdk/index.js';
import {CacheInformer, splitObjectKey} from '../../../../sdk/controllers/index.js';
import {clusterWide, namespaced} from '../../../../sdk/types/resource-handle.js';
import type {AllocationResult, DeviceClass, ResourceClaim, ResourceSlice} from '../../../../sdk/types/unchecked/resource/v1.js';
import type {Amounts} from '../devices/device-capacity.js';
import {poolId, type PooledDevice} from '../devices/device-pools.js';
import type {DeviceWay} from '../devices/device-requests.js';
import type {DeviceSelection} from '../devices/device-selection.js';
import {UsedDevices, usedDevices, type UsedDevice} from '../devices/used-devices.js';
import type {DeviceView} from '../model/device-view.js';
import type {ExtendedNames} from '../model/extended-requests.js';

export const deviceClaimType = namespaced<ResourceClaim & ApiObject>('resource.orch', 'v1', 'resourceclaims', 'ResourceClaim');
const classType = clusterWide<DeviceClass & ApiObject>('resource.orch', 'v1', 'deviceclasses', 'DeviceClass');
const sliceType = clusterWide<ResourceSlice & ApiObject>('resource.orch', 'v1', 'resourceslices', 'ResourceSlice');

export interface DeviceFollowerParts {
  readonly cache: ObjectCache;
  readonly names: ExtendedNames;
  /** The annotation of claims for what pods ask for by names of resources. */
  readonly extendedAnnotation: string;
  /** Whether claims can share devices. */
  readonly hasShares: boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Loads what evaluates expressions. */
  readonly selection: () => Promise<DeviceSelection>;
  /** Something has changed after which pods with claims may be placed. */
  readonly happened: () => void;
  readonly failed: (key: string, error: unknown) => void;
}

/** Claims, classes and devices in the server's cache. They are followed from the first pod with a claim on. */
export class DeviceFollower implements DeviceView {
  readonly extendedAnnotation: string;
  readonly #parts: DeviceFollowerParts;
  readonly #claims: CacheInformer<ResourceClaim & ApiObject>;
  readonly #classes: CacheInformer<DeviceClass & ApiObject>;
  readonly #slices: CacheInformer<ResourceSlice & ApiObject>;
  /** Devices of each claim, by the key of the claim. */
  readonly #devicesOf = new Map<string, readonly UsedDevice[]>();
  readonly #used = new UsedDevices();
  /** Devices of claims to which they are about to be given, by uid, with the key of a claim that has one. */
  readonly #pending = new Map<string, {readonly key: string; readonly devices: readonly UsedDevice[]}>();
  readonly #watchers = new Set<() => void>();
  #selection: DeviceSelection | undefined;
  #signal: AbortSignal | undefined;
  #isFollowing = false;

  constructor(parts: DeviceFollowerParts) {
    this.#parts = parts;
    const {cache, failed, names, extendedAnnotation} = parts;
    this.extendedAnnotation = extendedAnnotation;
    const happened = () => {
      if (this.isReady) parts.happened();
    };
    this.#claims = new CacheInformer(cache, deviceClaimType, {
      metadataIndexes: {
        extended: ({annotations, ownerReferences}) =>
          annotations?.[extendedAnnotation] === 'true'
            ? (ownerReferences ?? []).flatMap(({controller, uid}) => (controller ? [uid] : []))
            : [],
      },
      changed: (key) => {
        this.#noteClaim(key);
        happened();
        for (const look of this.#watchers) look();
      },
      deleted: (key) => {
        this.#setDevices(key, []);
        for (const [uid, {key: pending}] of [...this.#pending]) if (pending === key) this.release(uid);
        happened();
        for (const look of this.#watchers) look();
      },
      failed,
    });
    this.#classes = new CacheInformer(cache, classType, {
      indexes: {
        resource: ({metadata, spec}) => [names.ofClass + metadata.name, ...(spec?.extendedResourceName ? [spec.extendedResourceName] : [])],
      },
      changed: happened,
      failed,
    });
    this.#slices = new CacheInformer(cache, sliceType, {
      indexes: {
        node: ({spec}) => [spec?.nodeName ?? ''],
        pool: (slice) => [poolId(slice)],
      },
      changed: happened,
      failed,
    });
  }

  get now(): number {
    return this.#parts.now();
  }

  /** Calls whenever a claim has changed. Answers what ends that. */
  onChange(look: () => void): () => void {
    this.#watchers.add(look);
    return () => void this.#watchers.delete(look);
  }

  get isReady(): boolean {
    return this.#selection !== undefined;
  }

  /** Nothing is followed after the signal. */
  start(signal: AbortSignal): void {
    this.#signal = signal;
  }

  /** From now on claims, classes and devices matter. */
  follow(): void {
    if (this.#isFollowing || !this.#signal) return;
    this.#isFollowing = true;
    const signal = this.#signal;
    const informers = [this.#claims, this.#classes, this.#slices].map((informer) => informer.start(signal));
    Promise.all([this.#parts.selection(), ...informers]).then(
      ([selection]) => {
        if (signal.aborted) return;
        this.#selection = selection;
        this.#parts.happened();
      },
      (error: unknown) => this.#parts.failed('', error),
    );
  }

  claim(namespace: string, name: string): ResourceClaim | undefined {
    return this.#claims.getNow(name, namespace);
  }

  deviceClass(name: string): DeviceClass | undefined {
    return this.#classes.getNow(name);
  }

  classGiving(resource: string): DeviceClass | undefined {
    let newest: DeviceClass | undefined;
    for (const key of this.#classes.by('resource', resource)) {
      const found = this.deviceClass(splitObjectKey(key)[1]);
      if (found && (!newest || isPreferred(found, newest))) newest = found;
    }
    return newest;
  }

  extendedClaimOf(uid: string): ResourceClaim | undefined {
    const [key] = this.#claims.by('extended', uid);
    if (key === undefined) return undefined;
    const [namespace, name] = splitObjectKey(key);
    return this.claim(namespace, name);
  }

  slicesFor(node: string): ResourceSlice[] {
    return [...this.#slicesBy('node', ''), ...this.#slicesBy('node', node)];
  }

  slicesOf(pool: string): ResourceSlice[] {
    return this.#slicesBy('pool', pool);
  }

  isInUse(id: string): boolean {
    return this.#used.isInUse(id);
  }

  sharesOf(id: string): Amounts | undefined {
    return this.#used.sharesOf(id);
  }

  isPending(uid: string): boolean {
    return this.#pending.has(uid);
  }

  selects(device: PooledDevice, way: DeviceWay, claim: ResourceClaim): boolean {
    return this.#selection!.selects(device, way, claim);
  }

  /** Devices count as in use until the claim says so, or is gone, or `release` is called. */
  reserve({metadata}: ResourceClaim, allocation: AllocationResult): void {
    const devices = usedDevices(allocation, this.#parts.hasShares);
    this.#pending.set(metadata.uid ?? '', {key: `${metadata.namespace}/${metadata.name}`, devices});
    this.#used.add(devices);
  }

  release(uid: string): void {
    const pending = this.#pending.get(uid);
    if (!pending) return;
    this.#pending.delete(uid);
    this.#used.remove(pending.devices);
  }

  /** A claim that has been written takes over the devices that were kept for it under another uid. */
  takeOver(uid: string, {metadata}: ResourceClaim): void {
    const pending = this.#pending.get(uid);
    if (!pending) return;
    this.#pending.delete(uid);
    this.#pending.set(metadata.uid ?? '', {key: `${metadata.namespace}/${metadata.name}`, devices: pending.devices});
  }

  #slicesBy(index: 'node' | 'pool', value: string): ResourceSlice[] {
    return this.#slices.by(index, value).flatMap((key) => this.#slices.getNow(splitObjectKey(key)[1]) ?? []);
  }

  #noteClaim(key: string): void {
    const [namespace, name] = splitObjectKey(key);
    const claim = this.claim(namespace, name);
    const allocation = claim?.status?.allocation;
    this.#setDevices(key, allocation ? usedDevices(allocation, this.#parts.hasShares) : []);
    if (allocation) this.release(claim?.metadata.uid ?? '');
  }

  #setDevices(key: string, devices: readonly UsedDevice[]): void {
    const before = this.#devicesOf.get(key) ?? [];
    this.#used.add(devices);
    this.#used.remove(before);
    if (devices.length > 0) this.#devicesOf.set(key, devices);
    else this.#devicesOf.delete(key);
  }
}

/** Of two classes that give the same resource the newer one counts, as one that takes the place of the other. */
function isPreferred({metadata: one}: DeviceClass, {metadata: other}: DeviceClass): boolean {
  const [left, right] = [one, other].map(({creationTimestamp}) => Date.parse(creationTimestamp ?? ''));
  return left === right ? (one.name ?? '') < (other.name ?? '') : left! > right!;
}
