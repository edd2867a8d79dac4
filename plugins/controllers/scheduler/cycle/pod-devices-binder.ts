import {isConflict, type ApiObject, type Clock, type ResourceClient, secondTime} from '../../../../sdk/index.js';
import type {AllocationResult, ResourceClaim} from '../../../../sdk/types/unchecked/resource/v1.js';
import {deviceClaimType, type DeviceFollower} from '../cluster/device-follower.js';
import type {DeviceFeatures} from '../devices/device-pools.js';
import {allocate, deviceClaims} from '../filters/dynamic-resources.js';
import type {KnownPod} from '../model/known-pod.js';
import type {ReadyNode} from '../model/node-state.js';
import type {Reserved} from './reserved.js';

/** How often a claim is read again that somebody else has changed. */
const attempts = 5;

export interface PodDevicesBinderParts {
  readonly resources: ResourceClient;
  readonly devices: DeviceFollower;
  readonly features: DeviceFeatures;
  readonly clock: Clock;
  /** Keeps a claim while it has devices. */
  readonly finalizer: string;
  /** Whether allocations say when they were made. */
  readonly writesTime: boolean;
}

/** Gives the claims of a pod their devices, and the pod its claims, once it has its node. */
export class PodDevicesBinder {
  readonly #parts: PodDevicesBinderParts;

  constructor(parts: PodDevicesBinderParts) {
    this.#parts = parts;
  }

  /** Chooses devices for a pod that gets a node; undefined if it has no claims. @throws Error if there are none after all */
  reserve(pod: KnownPod, {facts}: ReadyNode): Reserved | undefined {
    if (pod.claims.length === 0) return undefined;
    const {devices, features} = this.#parts;
    const claims = deviceClaims(pod, devices);
    if (typeof claims === 'string') throw new Error(claims);
    const open = claims.filter(({status}) => !status?.allocation);
    const chosen = open.length === 0 ? new Map<ResourceClaim, AllocationResult>() : allocate(open, facts, devices, features);
    if (!chosen) throw new Error('claim allocation not found for node');
    for (const [{metadata}, allocation] of chosen) devices.reserve(metadata.uid ?? '', allocation);
    return {
      bind: async () => {
        for (const claim of claims) await this.#bind(claim, chosen.get(claim), pod);
      },
      release: () => {
        for (const {metadata} of chosen.keys()) devices.release(metadata.uid ?? '');
      },
    };
  }

  /** Takes the devices of claims that nobody uses from where a pod cannot be. Answers whether there were any. */
  async deallocate(pod: KnownPod): Promise<boolean> {
    const {resources, devices} = this.#parts;
    const claims = deviceClaims(pod, devices);
    const unused =
      typeof claims === 'string' ? undefined : claims.find(({status}) => status?.allocation && isFree(status.reservedFor ?? [], pod));
    if (!unused) return false;
    const {allocation: _allocation, reservedFor: _reservedFor, devices: _devices, ...status} = unused.status ?? {};
    await resources.update(deviceClaimType, pod.namespace, {...unused, status} as ApiObject, 'status');
    return true;
  }

  /** @throws Error in the words of Kubernetes */
  async #bind(known: ResourceClaim, allocation: AllocationResult | undefined, pod: KnownPod): Promise<void> {
    const {namespace = '', name = ''} = known.metadata;
    for (let attempt = 1, claim = known; ; attempt += 1) {
      if (claim.metadata.deletionTimestamp) throw new Error(`claim ${namespace}/${name} got deleted in the meantime`);
      if ((claim.status?.reservedFor ?? []).some(({uid}) => uid === pod.uid)) return;
      if (allocation && claim.status?.allocation) throw new Error(`claim ${namespace}/${name} got allocated elsewhere in the meantime`);
      if (!allocation && !claim.status?.allocation) throw new Error(`claim ${namespace}/${name} got deallocated elsewhere in the meantime`);
      try {
        await this.#write(claim, allocation, pod);
        return;
      } catch (error) {
        if (!isConflict(error) || attempt === attempts)
          throw new Error(
            `add ${allocation ? 'allocation and reservation' : 'reservation'} to claim ${namespace}/${name}: ${(error as Error).message}`,
            {
              cause: error,
            },
          );
        claim = (await this.#parts.resources.get(deviceClaimType, namespace, name)) as ResourceClaim;
      }
    }
  }

  async #write(known: ResourceClaim, allocation: AllocationResult | undefined, {name, uid}: KnownPod): Promise<void> {
    const {resources, clock, finalizer, writesTime} = this.#parts;
    const {namespace = '', finalizers = []} = known.metadata;
    const needsFinalizer = allocation !== undefined && !(finalizers ?? []).includes(finalizer);
    const claim = needsFinalizer
      ? ((await resources.update(deviceClaimType, namespace, {
          ...known,
          metadata: {...known.metadata, finalizers: [...(finalizers ?? []), finalizer]},
        } as ApiObject)) as ResourceClaim)
      : known;
    const time = writesTime ? {allocationTimestamp: secondTime(clock.now())} : {};
    const status = {
      ...claim.status,
      ...(allocation ? {allocation: {...allocation, ...time}} : {}),
      reservedFor: [...(claim.status?.reservedFor ?? []), {resource: 'pods', name, uid}],
    };
    await resources.update(deviceClaimType, namespace, {...claim, status} as ApiObject, 'status');
  }
}

function isFree(users: readonly {readonly uid?: string}[], {uid}: KnownPod): boolean {
  return users.length === 0 || (users.length === 1 && users[0]!.uid === uid);
}
