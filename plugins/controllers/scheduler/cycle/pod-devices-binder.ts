import type {EventRecorder} from '../../../../sdk/controllers/index.js';
import {isConflict, type ApiObject, type Clock, type ResourceClient, secondTime} from '../../../../sdk/index.js';
import type {AllocationResult, ResourceClaim} from '../../../../sdk/types/unchecked/resource/v1.js';
import {deviceClaimType, type DeviceFollower} from '../cluster/device-follower.js';
import type {DeviceFeatures} from '../devices/device-pools.js';
import {bindingMillis, hasBindingConditions, isReadyForBinding} from '../devices/binding-conditions.js';
import {allocate, cannotBind, deviceClaims} from '../filters/dynamic-resources.js';
import type {KnownPod} from '../model/known-pod.js';
import type {ReadyNode} from '../model/node-state.js';
import {subjectOf} from './pod-writer.js';
import type {Reserved} from './reserved.js';
import {waitForChange} from './wait-for-change.js';

/** How often a claim is read again that somebody else has changed. */
const attempts = 5;

export interface PodDevicesBinderParts {
  readonly resources: ResourceClient;
  readonly devices: DeviceFollower;
  readonly features: DeviceFeatures;
  readonly clock: Clock;
  readonly events: EventRecorder;
  /** Keeps a claim while it has devices. */
  readonly finalizer: string;
}

/** Gives the claims of a pod their devices, and the pod its claims, once it has its node. */
export class PodDevicesBinder {
  readonly #parts: PodDevicesBinderParts;

  constructor(parts: PodDevicesBinderParts) {
    this.#parts = parts;
  }

  /** Chooses devices for a pod that gets a node; undefined if it has no claims. @throws Error if there are none after all */
  reserve(pod: KnownPod, {name, facts}: ReadyNode): Reserved | undefined {
    if (pod.claims.length === 0) return undefined;
    const {devices, features} = this.#parts;
    const claims = deviceClaims(pod, devices);
    if (typeof claims === 'string') throw new Error(claims);
    const open = claims.filter(({status}) => !status?.allocation);
    const chosen = open.length === 0 ? new Map<ResourceClaim, AllocationResult>() : allocate(open, facts, devices, features);
    if (!chosen) throw new Error('claim allocation not found for node');
    for (const [{metadata}, allocation] of chosen) devices.reserve(metadata.uid ?? '', allocation);
    return {
      bind: async (signal) => {
        const written: ResourceClaim[] = [];
        for (const claim of claims) written.push(await this.#bind(claim, chosen.get(claim), pod));
        if (features.hasConditions && written.some(hasBindingConditions)) await this.#waitFor(written, pod, name, signal);
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
    const free = typeof claims === 'string' ? [] : claims.filter(({status}) => status?.allocation && isFree(status.reservedFor ?? [], pod));
    const unused = free.find((claim) => cannotBind(claim, devices.now)) ?? free[0];
    if (!unused) return false;
    const {allocation: _allocation, reservedFor: _reservedFor, devices: _devices, ...status} = unused.status ?? {};
    await resources.update(deviceClaimType, pod.namespace, {...unused, status} as ApiObject, 'status');
    return true;
  }

  /** @throws Error in the words of Kubernetes */
  async #bind(known: ResourceClaim, allocation: AllocationResult | undefined, pod: KnownPod): Promise<ResourceClaim> {
    const {namespace = '', name = ''} = known.metadata;
    for (let attempt = 1, claim = known; ; attempt += 1) {
      if (claim.metadata.deletionTimestamp) throw new Error(`claim ${namespace}/${name} got deleted in the meantime`);
      if ((claim.status?.reservedFor ?? []).some(({uid}) => uid === pod.uid)) return claim;
      if (allocation && claim.status?.allocation) throw new Error(`claim ${namespace}/${name} got allocated elsewhere in the meantime`);
      if (!allocation && !claim.status?.allocation) throw new Error(`claim ${namespace}/${name} got deallocated elsewhere in the meantime`);
      try {
        return await this.#write(claim, allocation, pod);
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

  async #write(known: ResourceClaim, allocation: AllocationResult | undefined, {name, uid}: KnownPod): Promise<ResourceClaim> {
    const {resources, clock, finalizer, features} = this.#parts;
    const {namespace = '', finalizers = []} = known.metadata;
    const needsFinalizer = allocation !== undefined && !(finalizers ?? []).includes(finalizer);
    const claim = needsFinalizer
      ? ((await resources.update(deviceClaimType, namespace, {
          ...known,
          metadata: {...known.metadata, finalizers: [...(finalizers ?? []), finalizer]},
        } as ApiObject)) as ResourceClaim)
      : known;
    const time = features.hasConditions ? {allocationTimestamp: secondTime(clock.now())} : {};
    const status = {
      ...claim.status,
      ...(allocation ? {allocation: {...allocation, ...time}} : {}),
      reservedFor: [...(claim.status?.reservedFor ?? []), {resource: 'pods', name, uid}],
    };
    return (await resources.update(deviceClaimType, namespace, {...claim, status} as ApiObject, 'status')) as ResourceClaim;
  }

  /** Waits until the devices of claims are ready for a node. @throws Error if one is not in time, or fails */
  #waitFor(claims: readonly ResourceClaim[], pod: KnownPod, node: string, signal: AbortSignal): Promise<void> {
    const {devices, clock, events} = this.#parts;
    events.record(subjectOf(pod), {
      type: 'Normal',
      reason: 'BindingConditionsPending',
      action: 'Scheduling',
      note: `waiting for binding conditions for device on node ${node}`,
    });
    return waitForChange({
      isDone: () => claims.every(({metadata}) => isReadyForBinding(this.#now(metadata.namespace ?? '', metadata.name ?? ''))),
      followed: devices,
      clock,
      millis: bindingMillis,
      tooLate: 'device binding timeout: context deadline exceeded',
      signal,
    });
  }

  #now(namespace: string, name: string): ResourceClaim {
    const claim = this.#parts.devices.claim(namespace, name);
    if (!claim) throw new Error(`resourceclaim.resource.k8s.io ${JSON.stringify(name)} not found`);
    return claim;
  }
}

function isFree(users: readonly {readonly uid?: string}[], {uid}: KnownPod): boolean {
  return users.length === 0 || (users.length === 1 && users[0]!.uid === uid);
}
