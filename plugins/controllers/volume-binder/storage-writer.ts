import {compareQuantities, type ApiObject, type FeatureGates, type NamingProfile, type ResourceClient} from '../../../sdk/index.js';
import type {EventRecorder} from '../../../sdk/controllers/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {PersistentVolume, PersistentVolumeClaim} from '../../../sdk/types/unchecked/core/v1.js';
import {bindingKeys, type BindingKeys} from '../../families/volume-binding/binding-keys.js';
import {boundVolume, isAnnotated} from '../../families/volume-binding/binding-state.js';
import {claimType, volumeType} from './storage-cache.js';

export const component = 'persistentvolume-controller';

export interface StorageEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly note: string;
}

/** Writes claims and volumes. Each write fails if the object has changed since it was read. */
export class StorageWriter {
  readonly keys: BindingKeys;
  readonly #resources: ResourceClient;
  readonly #events: EventRecorder;
  readonly #gates: FeatureGates;
  readonly #preResizeKey: string;
  /** Called before a volume is bound; what it returns is called if that fails. */
  readonly #take: (volume: PersistentVolume) => () => void;

  constructor(
    resources: ResourceClient,
    events: EventRecorder,
    naming: NamingProfile,
    gates: FeatureGates,
    take: (volume: PersistentVolume) => () => void,
  ) {
    this.#resources = resources;
    this.#events = events;
    this.#gates = gates;
    this.#take = take;
    this.keys = bindingKeys(naming);
    this.#preResizeKey = naming.key('volume.alpha.orch/pre-resize-capacity');
  }

  /** Says something about a claim or a volume. */
  say(object: PersistentVolume | PersistentVolumeClaim, event: StorageEvent): void {
    const kind = object.metadata.namespace ? 'PersistentVolumeClaim' : 'PersistentVolume';
    this.#events.record({apiVersion: 'v1', kind, metadata: object.metadata}, event);
  }

  async updateVolume(volume: PersistentVolume): Promise<PersistentVolume> {
    return (await this.#resources.update(volumeType, '', volume as ApiObject)) as PersistentVolume;
  }

  async updateClaim(claim: PersistentVolumeClaim): Promise<PersistentVolumeClaim> {
    return (await this.#resources.update(claimType, claim.metadata.namespace!, claim as ApiObject)) as PersistentVolumeClaim;
  }

  async setVolumePhase(volume: PersistentVolume, phase: string, event?: StorageEvent): Promise<PersistentVolume> {
    if (volume.status?.phase === phase) return volume;
    const {message: _message, ...status} = volume.status ?? {};
    const changed = {...volume, status: {...status, phase, ...(event ? {message: event.note} : {})}};
    const made = (await this.#resources.update(volumeType, '', changed as ApiObject, 'status')) as PersistentVolume;
    if (event) this.say(made, event);
    return made;
  }

  /** Binds both to each other: the volume first, which decides who gets it. */
  async bind(volume: PersistentVolume, claim: PersistentVolumeClaim): Promise<void> {
    const bound = boundVolume(volume, claim, this.keys);
    const written = await this.setVolumePhase(bound ? await this.#takeVolume(volume, bound) : volume, 'Bound');
    await this.setClaimStatus(await this.#bindClaim(claim, written), 'Bound', written);
  }

  /** Gives a volume up: it is free, or reserved by name as it was before. */
  async unbind(volume: PersistentVolume): Promise<void> {
    const {claimRef, ...spec} = volume.spec ?? {};
    const {[this.keys.boundByController]: mark, ...annotations} = volume.metadata.annotations ?? {};
    const {uid: _uid, ...reserved} = claimRef ?? {};
    const changed: PersistentVolume =
      mark === undefined
        ? {...volume, spec: {...spec, claimRef: reserved}}
        : {...volume, metadata: {...volume.metadata, annotations: annotations as Record<string, string>}, spec};
    await this.setVolumePhase(await this.updateVolume(changed), 'Available');
  }

  /** @param volume that the claim has; undefined for none */
  async setClaimStatus(
    claim: PersistentVolumeClaim,
    phase: string,
    volume: PersistentVolume | undefined,
    event?: StorageEvent,
  ): Promise<void> {
    const {status = {}} = claim;
    if (event && status.phase === phase) return;
    const next = volume ? this.#boundStatus(claim, phase, volume) : unboundStatus(claim, phase);
    if (sameValue(next, status)) return;
    const {namespace = ''} = claim.metadata;
    await this.#resources.update(claimType, namespace, {...claim, status: next} as ApiObject, 'status');
    if (event) this.say(claim, event);
  }

  async #takeVolume(volume: PersistentVolume, bound: PersistentVolume): Promise<PersistentVolume> {
    const giveBack = this.#take(volume);
    try {
      return await this.updateVolume(bound);
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  async #bindClaim(claim: PersistentVolumeClaim, {metadata}: PersistentVolume): Promise<PersistentVolumeClaim> {
    const {boundByController, bindCompleted} = this.keys;
    const isBound = claim.spec?.volumeName === metadata.name;
    if (isBound && isAnnotated(claim, bindCompleted)) return claim;
    const annotations = {...claim.metadata.annotations, ...(isBound ? {} : {[boundByController]: 'yes'}), [bindCompleted]: 'yes'};
    return this.updateClaim({
      ...claim,
      metadata: {...claim.metadata, annotations},
      spec: {...claim.spec, volumeName: metadata.name!},
    });
  }

  #boundStatus(
    {status = {}}: PersistentVolumeClaim,
    phase: string,
    volume: PersistentVolume,
  ): NonNullable<PersistentVolumeClaim['status']> {
    const {accessModes = [], capacity = {}, volumeAttributesClassName} = volume.spec ?? {};
    const next = {...status, phase, accessModes};
    // Its size is set once; later the expansion of the volume sets it.
    if (status.phase === phase) return next;
    const before = volume.metadata.annotations?.[this.#preResizeKey];
    if (before !== undefined) next.capacity = {...status.capacity, storage: before};
    else if (status.capacity?.['storage'] === undefined || compareQuantities(status.capacity['storage'], capacity['storage'] ?? '0') !== 0)
      next.capacity = capacity;
    if (this.#gates.enabled('VolumeAttributesClass') && status.phase === 'Pending' && volumeAttributesClassName !== undefined)
      next.currentVolumeAttributesClassName = volumeAttributesClassName;
    return next;
  }
}

function unboundStatus({status = {}}: PersistentVolumeClaim, phase: string): NonNullable<PersistentVolumeClaim['status']> {
  const {accessModes: _modes, capacity: _capacity, currentVolumeAttributesClassName: _attributes, ...rest} = status;
  return {...rest, phase};
}
