import {ifFound, type ApiObject, type ResourceClient, type ResourceRef} from '../../../sdk/index.js';
import type {Pod} from '../../../sdk/types/unchecked/core/v1.js';
import type {ResourceClaim} from '../../../sdk/types/unchecked/resource/v1.js';
import {isDone, owningPod} from './claim-of-pod.js';

type Consumer = NonNullable<NonNullable<ResourceClaim['status']>['reservedFor']>[number];

const pods: ResourceRef = {group: '', version: 'v1', resource: 'pods'};
const maximumConsumers = 256;

/** Who claims are reserved for: pods that are gone or have finished are taken out, and what nobody needs any more is given back. */
export class Reservations {
  readonly #resources: ResourceClient;
  readonly #claims: ResourceRef;
  readonly #finalizer: string;

  /** @param finalizer that a claim has while it is allocated */
  constructor(resources: ResourceClient, claims: ResourceRef, finalizer: string) {
    this.#resources = resources;
    this.#claims = claims;
    this.#finalizer = finalizer;
  }

  async tidy(namespace: string, name: string): Promise<void> {
    const claim = (await ifFound(this.#resources.get(this.#claims, namespace, name))) as ResourceClaim | undefined;
    if (!claim) return;
    const consumers = claim.status?.reservedFor ?? [];
    const kept: Consumer[] = [];
    for (const consumer of consumers) if (await this.#isAlive(namespace, consumer)) kept.push(consumer);
    const isLast = kept.length === 0;
    if (kept.length < consumers.length) {
      await this.#release(await this.#write(claim, {reservedFor: kept, ...(isLast ? this.#givenBack(claim) : {})}));
    } else if (isLast && claim.metadata.deletionTimestamp && this.#isManaged(claim)) {
      await this.#release(claim.status?.allocation ? await this.#write(claim, this.#givenBack(claim)) : claim);
    }
    if (isLast) await this.#deleteUnneeded(claim);
  }

  /** Reserves an allocated claim for a pod that was put on a node without the scheduler. */
  async reserve(claim: ResourceClaim, {metadata}: Pod): Promise<void> {
    const consumers = claim.status?.reservedFor ?? [];
    if (!claim.status?.allocation || consumers.length >= maximumConsumers || consumers.some(({uid}) => uid === metadata.uid)) return;
    await this.#write(claim, {reservedFor: [...consumers, {resource: 'pods', name: metadata.name!, uid: metadata.uid!}]});
  }

  /** Other consumers than pods are not known here, and stay. */
  async #isAlive(namespace: string, {apiGroup, resource, name = '', uid}: Consumer): Promise<boolean> {
    if (apiGroup || resource !== 'pods') return true;
    const pod = (await ifFound(this.#resources.get(pods, namespace, name))) as Pod | undefined;
    return pod !== undefined && pod.metadata.uid === uid && !isDone(pod);
  }

  #isManaged({metadata}: ApiObject): boolean {
    return metadata.finalizers?.includes(this.#finalizer) === true;
  }

  /** Only what a scheduler has allocated can be given back by clearing it. Until 1.30 drivers are asked for it. */
  #givenBack({metadata, spec, status}: ResourceClaim): object {
    if (metadata.finalizers?.includes(this.#finalizer)) return {allocation: undefined};
    const {allocationMode} = (spec ?? {}) as {readonly allocationMode?: string};
    const isAsked = this.#claims.version === 'v1alpha2' && allocationMode === 'WaitForFirstConsumer' && Boolean(status?.allocation);
    return isAsked ? {deallocationRequested: true} : {};
  }

  /** Fails if the claim has changed since it was read. */
  async #write(claim: ResourceClaim, changes: object): Promise<ResourceClaim> {
    const changed = {...claim, status: {...claim.status, ...changes}} as ApiObject;
    return (await this.#resources.update(this.#claims, claim.metadata.namespace!, changed, 'status')) as ResourceClaim;
  }

  async #release(claim: ResourceClaim): Promise<void> {
    if (claim.status?.allocation || !this.#isManaged(claim)) return;
    const finalizers = claim.metadata.finalizers!.filter((each) => each !== this.#finalizer);
    const changed = {...claim, metadata: {...claim.metadata, finalizers}} as ApiObject;
    await this.#resources.update(this.#claims, claim.metadata.namespace!, changed);
  }

  /** A claim that was made for a pod which will not run is not kept until the pod is deleted. */
  async #deleteUnneeded(claim: ResourceClaim): Promise<void> {
    const owner = owningPod(claim as ApiObject);
    const {namespace = '', name = '', deletionTimestamp} = claim.metadata;
    if (!owner || deletionTimestamp) return;
    const pod = (await ifFound(this.#resources.get(pods, namespace, owner.name))) as Pod | undefined;
    // The garbage collector sees to claims of pods that are gone.
    if (pod && (pod.metadata.uid !== owner.uid || isDone(pod))) await ifFound(this.#resources.delete(this.#claims, namespace, name));
  }
}
