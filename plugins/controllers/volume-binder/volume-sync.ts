import {ifFound, type ResourceClient} from '../../../sdk/index.js';
import type {PersistentVolume, PersistentVolumeClaim} from '../../../sdk/types/unchecked/core/v1.js';
import {simulatedPrefix} from '../../families/volume-binding/binding-keys.js';
import {claimKeyOf, isAnnotated} from '../../families/volume-binding/binding-state.js';
import {differsInMode} from '../../families/volume-binding/matching-volume.js';
import {claimType, volumeType, type StorageCache} from './storage-cache.js';
import type {StorageWriter} from './storage-writer.js';

/** The folder of machines below which Kubernetes deletes what volumes have had. */
const temporary = ['', 'tmp', ''].join('/');

export interface VolumeSyncParts {
  readonly resources: ResourceClient;
  readonly storage: StorageCache;
  readonly writer: StorageWriter;
  /** A claim has to be looked at. */
  readonly claimConcerned: (key: string) => void;
}

/** Keeps the phases of volumes, and does with released ones what their policy says. */
export class VolumeSync {
  readonly #parts: VolumeSyncParts;

  constructor(parts: VolumeSyncParts) {
    this.#parts = parts;
  }

  async sync(volume: PersistentVolume): Promise<void> {
    const {writer, claimConcerned} = this.#parts;
    const key = claimKeyOf(volume);
    if (key === undefined || !volume.spec?.claimRef?.uid) {
      await writer.setVolumePhase(volume, 'Available');
      return;
    }
    const claim = await this.#claimOf(key, volume);
    if (!claim) return this.#release(volume);
    if (!claim.spec?.volumeName) {
      if (differsInMode(volume, claim)) return this.#sayMismatch(volume, claim);
      claimConcerned(key);
    } else if (claim.spec.volumeName === volume.metadata.name) {
      await writer.setVolumePhase(volume, 'Bound');
    } else if (isAnnotated(volume, writer.keys.provisionedBy) && volume.spec.persistentVolumeReclaimPolicy === 'Delete') {
      // It was made for a claim that has found another one meanwhile.
      await this.#release(volume);
    } else {
      await writer.unbind(volume);
    }
  }

  /** The claim that a volume is bound to; undefined if it is gone, or is another one of its name. The cache may not know it yet. */
  async #claimOf(key: string, {spec, status}: PersistentVolume): Promise<PersistentVolumeClaim | undefined> {
    const {storage, resources} = this.#parts;
    const {uid, namespace = '', name = ''} = spec?.claimRef ?? {};
    const cached = await storage.claim(key);
    if (cached?.metadata.uid === uid) return cached;
    if (!cached && (status?.phase === 'Released' || status?.phase === 'Failed')) return undefined;
    const fresh = (await ifFound(resources.get(claimType, namespace, name))) as PersistentVolumeClaim | undefined;
    return fresh?.metadata.uid === uid ? fresh : undefined;
  }

  #sayMismatch(volume: PersistentVolume, claim: PersistentVolumeClaim): void {
    const {writer} = this.#parts;
    const text = (what: string, to: string) => `Cannot bind ${what} to requested ${to} due to incompatible volumeMode.`;
    const [ofClaim, ofVolume] = [claim, volume].map(({metadata}) => JSON.stringify(metadata.name ?? ''));
    writer.say(volume, {type: 'Warning', reason: 'VolumeMismatch', note: text('PersistentVolume', `PersistentVolumeClaim ${ofClaim}`)});
    writer.say(claim, {type: 'Warning', reason: 'VolumeMismatch', note: text(`PersistentVolume ${ofVolume}`, 'PersistentVolumeClaim')});
  }

  async #release(volume: PersistentVolume): Promise<void> {
    const {writer} = this.#parts;
    const {phase} = volume.status ?? {};
    const released = phase === 'Released' || phase === 'Failed' ? volume : await writer.setVolumePhase(volume, 'Released');
    switch (released.spec?.persistentVolumeReclaimPolicy) {
      case 'Delete':
        return this.#delete(released);
      case 'Recycle':
        return this.#recycle(released);
      default:
    }
  }

  async #delete(volume: PersistentVolume): Promise<void> {
    const {writer, resources} = this.#parts;
    const why = whyNotDeleted(volume, writer.keys.provisionedBy);
    if (why === 'external') return;
    if (why !== undefined) {
      await writer.setVolumePhase(volume, 'Failed', {type: 'Warning', reason: 'VolumeFailedDelete', note: why});
      return;
    }
    const {finalizers = [], name = ''} = volume.metadata;
    const {finalizer} = writer.keys;
    if (finalizers.includes(finalizer))
      await writer.updateVolume({
        ...volume,
        metadata: {...volume.metadata, finalizers: finalizers.filter((each) => each !== finalizer)},
      } as PersistentVolume);
    if (!volume.metadata.deletionTimestamp) await ifFound(resources.delete(volumeType, '', name));
  }

  async #recycle(volume: PersistentVolume): Promise<void> {
    const {writer} = this.#parts;
    const {hostPath, nfs} = volume.spec ?? {};
    if (!hostPath && !nfs) {
      const note = 'No recycler plugin found for the volume!';
      await writer.setVolumePhase(volume, 'Failed', {type: 'Warning', reason: 'VolumeFailedRecycle', note});
      return;
    }
    writer.say(volume, {type: 'Normal', reason: 'VolumeRecycled', note: 'Volume recycled'});
    await writer.unbind(volume);
  }
}

/**
 * Why a volume is not deleted: `external` if somebody else does that, else in the words of Kubernetes; undefined if there is nothing to delete but the object. What is on the disks of machines is never touched: where Kubernetes deletes a folder below
 * `/tmp`, only the object goes.
 */
function whyNotDeleted({metadata, spec}: PersistentVolume, provisionedBy: string): string | undefined {
  const {name = ''} = metadata;
  const provisioner = metadata.annotations?.[provisionedBy] ?? '';
  if (provisioner.startsWith(simulatedPrefix)) return undefined;
  if (provisioner !== '' || spec?.csi) return 'external';
  const path = spec?.hostPath?.path;
  if (path !== undefined)
    return path.startsWith(temporary) ? undefined : `host_path deleter only supports ${temporary}.+ but received provided ${path}`;
  const reason = spec?.nfs ? 'no deletable volume plugin matched' : 'no volume plugin matched';
  return `error getting deleter volume plugin for volume ${JSON.stringify(name)}: ${reason}`;
}
