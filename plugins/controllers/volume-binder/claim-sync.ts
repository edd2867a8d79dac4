import type {NamingProfile, ResourceClient} from '../../../sdk/index.js';
import type {Pod, PersistentVolume, PersistentVolumeClaim} from '../../../sdk/types/unchecked/core/v1.js';
import {defaultClass} from '../../families/default-classes/default-class.js';
import {className, hasClass, isAnnotated, isBoundTo} from '../../families/volume-binding/binding-state.js';
import {matchingVolume, mismatch} from '../../families/volume-binding/matching-volume.js';
import type {Provisioning} from './provisioning.js';
import type {StorageCache} from './storage-cache.js';
import type {StorageWriter} from './storage-writer.js';

const pods = {group: '', version: 'v1', resource: 'pods'};

export interface ClaimSyncParts {
  readonly resources: ResourceClient;
  readonly naming: NamingProfile;
  readonly storage: StorageCache;
  readonly writer: StorageWriter;
  readonly provisioning: Provisioning;
}

/** Binds claims to volumes. */
export class ClaimSync {
  readonly #parts: ClaimSyncParts;
  readonly #defaultKeys: readonly string[];

  constructor(parts: ClaimSyncParts) {
    this.#parts = parts;
    this.#defaultKeys = ['storageclass.orch/is-default-class', 'storageclass.beta.orch/is-default-class'].map((key) =>
      parts.naming.key(key),
    );
  }

  /** @returns whether the claim still waits for a volume */
  async sync(claim: PersistentVolumeClaim): Promise<boolean> {
    if (isAnnotated(claim, this.#parts.writer.keys.bindCompleted)) {
      await this.#keep(claim);
      return false;
    }
    const {volumeName} = claim.spec ?? {};
    return volumeName ? this.#bindTo(claim, volumeName) : this.#find(claim);
  }

  /** One that is bound must stay it. */
  async #keep(claim: PersistentVolumeClaim): Promise<void> {
    const {storage, writer} = this.#parts;
    const lose = (reason: string, note: string) => writer.setClaimStatus(claim, 'Lost', undefined, {type: 'Warning', reason, note});
    const {volumeName} = claim.spec ?? {};
    if (!volumeName) return lose('ClaimLost', 'Bound claim has lost reference to PersistentVolume. Data on the volume is lost!');
    const volume = await storage.volume(volumeName);
    if (!volume) return lose('ClaimLost', 'Bound claim has lost its PersistentVolume. Data on the volume is lost!');
    const {claimRef} = volume.spec ?? {};
    if (claimRef && claimRef.uid !== claim.metadata.uid)
      return lose('ClaimMisbound', 'Two claims are bound to the same volume, this one is bound incorrectly');
    await writer.bind(volume, claim);
  }

  /** A claim that names its volume. */
  async #bindTo(claim: PersistentVolumeClaim, volumeName: string): Promise<boolean> {
    const {storage, writer} = this.#parts;
    const volume = await storage.volume(volumeName);
    const wait = async (event?: {reason: string; note: string}): Promise<boolean> => {
      if (event) writer.say(claim, {type: 'Warning', ...event});
      await writer.setClaimStatus(claim, 'Pending', undefined);
      return true;
    };
    if (!volume) return wait();
    if (!volume.spec?.claimRef) {
      const why = mismatch(volume, claim, writer.keys);
      if (why !== undefined)
        return wait({reason: 'VolumeMismatch', note: `Cannot bind to requested volume ${JSON.stringify(volumeName)}: ${why}`});
    } else if (!isBoundTo(volume, claim)) {
      return wait({reason: 'FailedBinding', note: `volume ${JSON.stringify(volumeName)} already bound to a different claim.`});
    }
    await writer.bind(volume, claim);
    return false;
  }

  /** A claim that takes any volume that suits it. */
  async #find(claim: PersistentVolumeClaim): Promise<boolean> {
    const {storage, writer, provisioning} = this.#parts;
    const wanted = className(claim, writer.keys);
    const waitsForPod = wanted !== '' && (await storage.storageClass(wanted))?.volumeBindingMode === 'WaitForFirstConsumer';
    const volume = matchingVolume(claim, this.#candidates(claim), {keys: writer.keys, onlyReserved: waitsForPod});
    if (volume) {
      await writer.bind(volume, claim);
      return false;
    }
    if (await this.#assignDefaultClass(claim)) return true;
    if (waitsForPod && !isAnnotated(claim, writer.keys.selectedNode)) {
      writer.say(claim, {type: 'Normal', ...(await this.#whyItWaits(claim))});
    } else if (wanted !== '') {
      await provisioning.provision(claim);
      return true;
    } else {
      const note = 'no persistent volumes available for this claim and no storage class is set';
      writer.say(claim, {type: 'Normal', reason: 'FailedBinding', note});
    }
    await writer.setClaimStatus(claim, 'Pending', undefined);
    return true;
  }

  /** Volumes that are free, and the one that was bound to this claim already. */
  *#candidates(claim: PersistentVolumeClaim): Iterable<PersistentVolume> {
    yield* this.#parts.storage.boundTo(claim);
    yield* this.#parts.storage.free();
  }

  /** A claim that says nothing of its class gets the one by default as soon as there is one. */
  async #assignDefaultClass(claim: PersistentVolumeClaim): Promise<boolean> {
    const {storage, writer} = this.#parts;
    if (hasClass(claim, writer.keys)) return false;
    const marked = defaultClass(await storage.classes(), this.#defaultKeys);
    if (!marked) return false;
    await writer.updateClaim({...claim, spec: {...claim.spec, storageClassName: marked.metadata.name!}});
    return true;
  }

  async #whyItWaits({metadata}: PersistentVolumeClaim): Promise<{reason: string; note: string}> {
    const {resources} = this.#parts;
    const {items} = await resources.list(pods, metadata.namespace!, {resourceVersion: '0', fieldSelector: 'spec.nodeName='});
    const users = (items as Pod[]).filter(
      ({spec, status, metadata: {name: podName = ''}}) =>
        status?.phase !== 'Succeeded' &&
        status?.phase !== 'Failed' &&
        spec?.volumes?.some(
          ({name, persistentVolumeClaim, ephemeral}) =>
            persistentVolumeClaim?.claimName === metadata.name || (ephemeral && `${podName}-${name}` === metadata.name),
        ),
    );
    const names = users.map((pod) => pod.metadata.name!);
    if (names.length === 0) return {reason: 'WaitForFirstConsumer', note: 'waiting for first consumer to be created before binding'};
    return {reason: 'WaitForPodScheduled', note: `waiting for pod${names.length > 1 ? 's' : ''} ${names.join(',')} to be scheduled`};
  }
}
