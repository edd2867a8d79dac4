import {
  inject,
  strategy,
  Tokens,
  type FeatureGates,
  type FieldError,
  type NamingProfile,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import type {PersistentVolume} from '../../../sdk/types/unchecked/core/v1.js';
import {roundResourceList} from '../../families/pods/resource-list.js';
import {accessModesText} from '../../families/volumes/access-modes.js';
import {persistentVolumeFaults, persistentVolumeUpdateFaults} from './persistent-volume-rules.js';
import {storageClassName} from './storage-class-name.js';

/** PersistentVolume: storage that outlives the pods that use it. */
@strategy()
export class PersistentVolumeStrategy implements ResourceStrategy<PersistentVolume> {
  readonly #naming: NamingProfile;
  readonly #gates: FeatureGates;

  constructor(@inject(Tokens.Naming) naming: NamingProfile, @inject(Tokens.FeatureGates) gates: FeatureGates) {
    this.#naming = naming;
    this.#gates = gates;
  }

  applyDefaults({spec}: PersistentVolume): void {
    if (!spec) return;
    spec.persistentVolumeReclaimPolicy ||= 'Retain';
    spec.volumeMode ??= 'Filesystem';
    roundResourceList(spec.capacity);
  }

  prepareForCreate(object: PersistentVolume): void {
    object.status = {phase: 'Pending'};
    this.#dropDisabledFields(object, undefined);
  }

  prepareForUpdate(object: PersistentVolume, old: PersistentVolume): void {
    this.#dropDisabledFields(object, old);
  }

  validateCreate(object: PersistentVolume): FieldError[] {
    return persistentVolumeFaults(object, this.#gates.enabled('ReadWriteOncePod'), this.#naming);
  }

  validateUpdate(object: PersistentVolume, old: PersistentVolume, {subresource}: StrategyContext): FieldError[] {
    if (subresource === 'status') return [];
    const allowed = this.#gates.enabled('ReadWriteOncePod') || (old.spec?.accessModes?.includes('ReadWriteOncePod') ?? false);
    return [...persistentVolumeFaults(object, allowed, this.#naming), ...persistentVolumeUpdateFaults(object, old)];
  }

  tableCells({metadata, spec = {}, status}: PersistentVolume): Record<string, string> {
    const {claimRef} = spec;
    return {
      Capacity: spec.capacity?.['storage'] ?? '0',
      'Access Modes': accessModesText(spec.accessModes),
      Status: metadata.deletionTimestamp ? 'Terminating' : (status?.phase ?? ''),
      Claim: claimRef ? `${claimRef.namespace ?? ''}/${claimRef.name ?? ''}` : '',
      StorageClass: storageClassName(metadata, spec, this.#naming),
      VolumeMode: spec.volumeMode ?? '<unset>',
    };
  }

  #dropDisabledFields({spec}: PersistentVolume, old: PersistentVolume | undefined): void {
    if (!spec?.csi?.nodeExpandSecretRef || this.#gates.enabled('CSINodeExpandSecret') || old?.spec?.csi?.nodeExpandSecretRef) return;
    delete spec.csi.nodeExpandSecretRef;
  }
}
