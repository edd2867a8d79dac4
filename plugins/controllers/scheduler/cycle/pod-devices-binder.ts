import type {EventRecorder} from '../../../../sdk/controllers/index.js';
import {isConflict, type ApiObject, type Clock, type ResourceClient, secondTime} from '../../../../sdk/index.js';
import type {AllocationResult, ResourceClaim} from '../../../../sdk/types/unchecked/resource/v1.js';
import type {NamedLabels} from '../../../families/placement/node-terms.js';
import {deviceClaimType, type DeviceFollower} from '../cluster/device-follower.js';
import type {DeviceFeatures} from '../devices/device-pools.js';
import {bindingMillis, hasBindingConditions, isReadyForBinding} from '../devices/binding-conditions.js';
import {ExtendedDemand} from '../filters/extended-claim.js';
import {allocate, cannotBind, deviceClaims, searchedClaims} from '../filters/dynamic-resources.js';
import type {KnownPod} from '../model/known-pod.js';
import type {ReadyNode} from '../model/node-state.js';
import type {ExtendedClaimWriter} from './extended-claim-writer.js';
import {subjectOf} from './pod-writer.js';
import type {Reserved} from './reserved.js';
import {waitForChange} from './wait-for-change.js';

/** How often a claim is read again that somebody else has changed. */
const attempts = 5;

/** Claims are taken their devices, or go, so that others can be tried. */
export interface Deallocation {
  /** In the words of Kubernetes. */
  readonly text: string;
  readonly run: () => Promise<void>;
}

export interface PodDevicesBinderParts {
  readonly resources: ResourceClient;
  readonly devices: DeviceFollower;
  readonly features: DeviceFeatures;
  readonly extended: ExtendedClaimWriter;
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

  /** Chooses devices for a pod that gets a node; undefined if it needs none there. @throws Error if there are none after all */
  reserve(pod: KnownPod, {name, facts}: ReadyNode): Reserved | undefined {
    const {devices, features, extended} = this.#parts;
    const own = ExtendedDemand.of(pod, devices)?.on(facts);
    if (pod.claims.length === 0 && !own) return undefined;
    const claims = deviceClaims(pod, devices);
    if (typeof claims === 'string') throw new Error(claims);
    const chosen = this.#choose([...claims.filter(({status}) => !status?.allocation), ...(own ? [own.claim] : [])], facts);
    /** Those whose devices only we know of. Once they are written the cache comes to know. */
    const unwritten = new Set(chosen.keys());
    let made: ResourceClaim | undefined;
    return {
      bind: async (signal) => {
        const bound: ResourceClaim[] = [];
        for (const claim of claims) {
          bound.push(await this.#bind(claim, chosen.get(claim), pod));
          unwritten.delete(claim);
        }
        if (own) {
          made = await extended.create(own.claim);
          devices.takeOver(own.claim.metadata.uid ?? '', made);
          unwritten.delete(own.claim);
          unwritten.add(made);
          bound.push(await this.#bind(made, chosen.get(own.claim), pod));
          unwritten.delete(made);
          await extended.tell(pod, made.metadata.name ?? '', own.mappings);
        }
        if (features.hasConditions && bound.some(hasBindingConditions)) await this.#waitFor(bound, pod, name, signal);
      },
      release: () => {
        for (const {metadata} of unwritten) devices.release(metadata.uid ?? '');
      },
      undo: async () => {
        if (made) await extended.remove(made);
      },
    };
  }

  /** Keeps devices for claims that have none. @throws Error */
  #choose(open: readonly ResourceClaim[], node: NamedLabels): ReadonlyMap<ResourceClaim, AllocationResult> {
    const {devices, features} = this.#parts;
    if (open.length === 0) return new Map();
    const chosen = allocate(searchedClaims(open, devices, features), node, devices, features);
    if (!chosen) throw new Error('claim allocation not found for node');
    for (const [claim, allocation] of chosen) devices.reserve(claim, allocation);
    return chosen;
  }

  /** Whether a pod asks by names of resources for what classes give. */
  isAskedBy(pod: KnownPod): boolean {
    return ExtendedDemand.of(pod, this.#parts.devices) !== undefined;
  }

  /** What helps a pod for which no node was found; undefined if nothing does. */
  deallocation(pod: KnownPod): Deallocation | undefined {
    const {resources, devices, extended} = this.#parts;
    const claims = deviceClaims(pod, devices);
    const free = typeof claims === 'string' ? [] : claims.filter(({status}) => status?.allocation && isFree(status.reservedFor ?? [], pod));
    const unused = free.find((claim) => cannotBind(claim, devices.now)) ?? free[0];
    if (unused) {
      const {allocation: _allocation, reservedFor: _reservedFor, devices: _devices, ...status} = unused.status ?? {};
      return {
        text: 'deallocation of ResourceClaim completed',
        run: async () => void (await resources.update(deviceClaimType, pod.namespace, {...unused, status} as ApiObject, 'status')),
      };
    }
    const stale = ExtendedDemand.of(pod, devices)?.stale;
    return stale && {text: 'deletion of ResourceClaim completed', run: () => extended.remove(stale)};
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
