import {ifFound, retryOnConflict, type ApiObject, type ResourceClient} from '../../../../sdk/index.js';
import type {ResourceClaim} from '../../../../sdk/types/unchecked/resource/v1.js';
import {deviceClaimType} from '../cluster/device-follower.js';
import type {RequestMappings} from '../filters/extended-claim.js';
import type {KnownPod} from '../model/known-pod.js';
import type {PodWriter} from './pod-writer.js';

/** How often a claim is read again that somebody else has changed. */
const attempts = 5;

/** Writes the claims for what pods ask for by names of resources. */
export class ExtendedClaimWriter {
  readonly #resources: ResourceClient;
  readonly #pods: PodWriter;
  readonly #finalizer: string;

  /** @param finalizer that keeps a claim while it has devices */
  constructor(resources: ResourceClient, pods: PodWriter, finalizer: string) {
    this.#resources = resources;
    this.#pods = pods;
    this.#finalizer = finalizer;
  }

  /** @param claim as it is kept in memory, with a uid of our own @throws Error in the words of Kubernetes */
  async create({metadata, spec}: ResourceClaim): Promise<ResourceClaim> {
    const {uid: _uid, ...own} = metadata;
    const {namespace = ''} = own;
    try {
      return (await this.#resources.create(deviceClaimType, namespace, {metadata: own, spec} as ApiObject)) as ResourceClaim;
    } catch (error) {
      throw new Error(`create claim for extended resources ${namespace}/: ${(error as Error).message}`, {cause: error});
    }
  }

  /** The pod says which of its containers uses what of the claim. @throws Error in the words of Kubernetes */
  async tell(pod: KnownPod, claim: string, mappings: RequestMappings): Promise<void> {
    try {
      await this.#pods.setExtendedClaim(pod, claim, mappings);
    } catch (error) {
      throw new Error(`update pod ${pod.namespace}/${pod.name} ExtendedResourceClaimStatus: ${(error as Error).message}`, {cause: error});
    }
  }

  /** A claim goes with its devices. One that is gone already is no error. @throws StatusError */
  async remove({metadata}: ResourceClaim): Promise<void> {
    const {namespace = '', name = '', uid} = metadata;
    const removal = retryOnConflict(attempts, async () => {
      const claim = await this.#resources.get(deviceClaimType, namespace, name);
      if (claim.metadata.uid !== uid) return;
      const finalizers = claim.metadata.finalizers ?? [];
      if (finalizers.includes(this.#finalizer)) {
        const left = finalizers.filter((each) => each !== this.#finalizer);
        await this.#resources.update(deviceClaimType, namespace, {...claim, metadata: {...claim.metadata, finalizers: left}});
      }
      await this.#resources.delete(deviceClaimType, namespace, name, {uid: uid!});
    });
    await ifFound(removal);
  }
}
