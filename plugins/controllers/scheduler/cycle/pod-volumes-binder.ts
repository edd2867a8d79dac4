import {retryOnConflict, type ApiObject, type Clock, type ResourceClient, type ResourceRef} from '../../../../sdk/index.js';
import {sameValue} from '../../../../sdk/validation/index.js';
import type {PersistentVolume, PersistentVolumeClaim} from '../../../../sdk/types/unchecked/core/v1.js';
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
/** How often an object is read again that somebody else has changed: new claims get finalizers and classes from others. */
const attempts = 5;

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
    const {storage, clock} = this.#parts;
    for (const {volume, claim} of choice.bindings) await this.#reserveVolume(volume, claim);
    /** Versions of the claims as they were written, by uid: what is older says nothing of them. */
    const written = new Map<string, string>();
    for (const claim of choice.provisions) written.set(claim.metadata.uid ?? '', await this.#selectNode(claim, node.name));
    await waitForChange({
      isDone: () => this.#areBound(choice, node, written),
      followed: storage,
      clock,
      millis: bindMillis,
      tooLate: 'binding volumes: context deadline exceeded',
      signal,
    });
  }

  /** @throws StatusError 409 for a volume that somebody else has taken */
  async #reserveVolume(known: PersistentVolume, claim: PersistentVolumeClaim): Promise<void> {
    const {resources, keys} = this.#parts;
    await this.#untilCurrent(known, volumeType, async (volume, conflict) => {
      if (conflict && !isFree(volume, known)) throw conflict;
      const bound = boundVolume(volume, claim, keys);
      if (bound) await resources.update(volumeType, '', bound as ApiObject);
    });
  }

  /** Says for which node the volume of a claim is to be made. Answers the version of the claim that says so. @throws StatusError 409 for another claim */
  async #selectNode(known: PersistentVolumeClaim, node: string): Promise<string> {
    const {resources, keys} = this.#parts;
    return this.#untilCurrent(known, claimType, async (claim, conflict) => {
      const {annotations, namespace = '', uid, resourceVersion = ''} = claim.metadata;
      const before = annotations?.[keys.selectedNode];
      // Another claim of the same name, or a node that another has chosen: this pod is decided about once more.
      if (conflict && (uid !== known.metadata.uid || (before !== undefined && before !== node))) throw conflict;
      if (before === node) return resourceVersion;
      const selected = {...claim, metadata: {...claim.metadata, annotations: {...annotations, [keys.selectedNode]: node}}};
      return (await resources.update(claimType, namespace, selected as ApiObject)).metadata.resourceVersion ?? '';
    });
  }

  /** Writes what is based on an object, and again on what it is by then if somebody else was first: a pause of the pod would help nobody. */
  #untilCurrent<T extends PersistentVolume | PersistentVolumeClaim, R>(
    known: T,
    type: ResourceRef,
    write: (object: T, conflict: unknown) => Promise<R>,
  ): Promise<R> {
    const {namespace = '', name = ''} = known.metadata;
    return retryOnConflict(attempts, async (conflict) =>
      write(conflict ? ((await this.#parts.resources.get(type, namespace, name)) as unknown as T) : known, conflict),
    );
  }

  /** @throws Error for what cannot become bound any more */
  #areBound(
    {bindings, provisions}: VolumeChoice,
    node: {readonly name: string; readonly labels: Readonly<Record<string, string>>},
    written: ReadonlyMap<string, string>,
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
      const isCurrent = Number(claim.metadata.resourceVersion) >= Number(written.get(claim.metadata.uid ?? ''));
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

/** Whether a volume may still be taken: it is the same, and for nobody else than before. */
function isFree({metadata, spec}: PersistentVolume, known: PersistentVolume): boolean {
  return metadata.uid === known.metadata.uid && sameValue(spec?.claimRef, known.spec?.claimRef);
}
