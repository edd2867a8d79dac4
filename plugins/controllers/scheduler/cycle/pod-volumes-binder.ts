import type {ApiObject, Clock, ResourceClient} from '../../../../sdk/index.js';
import type {PersistentVolumeClaim} from '../../../../sdk/types/unchecked/core/v1.js';
import type {BindingKeys} from '../../../families/volume-binding/binding-keys.js';
import {boundVolume} from '../../../families/volume-binding/binding-state.js';
import type {StorageFollower} from '../cluster/storage-follower.js';
import {isBound, podClaims} from '../filters/volume-binding.js';
import {chooseVolumes, isReachable} from '../filters/volume-choice.js';
import type {KnownPod} from '../model/known-pod.js';
import type {ReadyNode} from '../model/node-state.js';
import {claimKey, type VolumeChoice} from '../model/volume-choice.js';
import type {Reserved} from './reserved.js';
import {waitForChange} from './wait-for-change.js';

const claimType = {group: '', version: 'v1', resource: 'persistentvolumeclaims'};
const volumeType = {group: '', version: 'v1', resource: 'persistentvolumes'};

/** How long a pod waits for its volumes before it is decided about once more. As in Kubernetes. */
const bindMillis = 600_000;

export interface PodVolumesBinderParts {
  readonly resources: ResourceClient;
  readonly storage: StorageFollower;
  readonly keys: BindingKeys;
  readonly clock: Clock;
}

/** Gives the claims that have waited for a pod their volumes, once it has its node. */
export class PodVolumesBinder {
  readonly #parts: PodVolumesBinderParts;

  constructor(parts: PodVolumesBinderParts) {
    this.#parts = parts;
  }

  /** Chooses volumes for a pod that gets a node; undefined if none of its claims waits for that. */
  reserve({shape}: KnownPod, {name, facts}: ReadyNode): Reserved | undefined {
    if (shape.volumes.claims.length === 0) return undefined;
    const {storage, keys} = this.#parts;
    const claims = podClaims(shape, storage, keys);
    if (typeof claims === 'string' || claims.waiting.length === 0) return undefined;
    const choice = chooseVolumes(claims.waiting, facts, storage, keys);
    if (!choice) return undefined;
    const release = storage.reserve(choice, name);
    return {release, bind: (signal) => this.#bind(choice, {name, labels: facts.labels}, signal)};
  }

  async #bind(
    choice: VolumeChoice,
    node: {readonly name: string; readonly labels: Readonly<Record<string, string>>},
    signal: AbortSignal,
  ): Promise<void> {
    const {resources, storage, keys, clock} = this.#parts;
    for (const {volume, claim} of choice.bindings) {
      const bound = boundVolume(volume, claim, keys);
      if (bound) await resources.update(volumeType, '', bound as ApiObject);
    }
    for (const claim of choice.provisions) {
      if (claim.metadata.annotations?.[keys.selectedNode] === node.name) continue;
      const annotations = {...claim.metadata.annotations, [keys.selectedNode]: node.name};
      const {namespace = ''} = claim.metadata;
      await resources.update(claimType, namespace, {...claim, metadata: {...claim.metadata, annotations}} as ApiObject);
    }
    await waitForChange({
      isDone: () => this.#areBound(choice, node),
      followed: storage,
      clock,
      millis: bindMillis,
      tooLate: 'binding volumes: context deadline exceeded',
      signal,
    });
  }

  /** @throws Error for what cannot become bound any more */
  #areBound(
    {bindings, provisions}: VolumeChoice,
    node: {readonly name: string; readonly labels: Readonly<Record<string, string>>},
  ): boolean {
    const {storage, keys} = this.#parts;
    const now = ({metadata}: PersistentVolumeClaim): PersistentVolumeClaim => {
      const claim = storage.claim(metadata.namespace!, metadata.name!);
      if (!claim || claim.metadata.uid !== metadata.uid)
        throw new Error(`binding volumes: persistentvolumeclaim ${JSON.stringify(metadata.name ?? '')} not found`);
      return claim;
    };
    let areBound = true;
    for (const {claim} of bindings) if (!isBound(now(claim), keys)) areBound = false;
    for (const before of provisions) {
      const claim = now(before);
      const isCurrent = claim.metadata.resourceVersion !== before.metadata.resourceVersion;
      const selected = claim.metadata.annotations?.[keys.selectedNode];
      // Whoever makes the volume could not do so for this node, and asks for another.
      if (isCurrent && selected !== node.name)
        throw new Error(`binding volumes: provisioning failed for PVC ${JSON.stringify(claimKey(claim))}`);
      const volume = claim.spec?.volumeName ? storage.volume(claim.spec.volumeName) : undefined;
      if (volume && !isReachable(volume, node))
        throw new Error(
          `binding volumes: pv ${JSON.stringify(volume.metadata.name ?? '')} node affinity doesn't match node ${JSON.stringify(node.name)}`,
        );
      if (!isBound(claim, keys)) areBound = false;
    }
    return areBound;
  }
}
