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
import {persistentVolumeWarnings} from './volume-warnings.js';
import {persistentVolumeFaults, persistentVolumeUpdateFaults} from './persistent-volume-rules.js';
import {storageClassName} from './storage-class-name.js';

const transitionGate = 'PersistentVolumeLastPhaseTransitionTime';

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

  prepareForCreate(object: PersistentVolume, {now, warn}: StrategyContext): void {
    for (const text of persistentVolumeWarnings(object, this.#naming)) warn(text);
    object.status = {phase: 'Pending'};
    if (this.#gates.enabled(transitionGate)) object.status.lastPhaseTransitionTime = secondsOf(now);
    this.#dropDisabledFields(object, undefined);
  }

  prepareForUpdate(object: PersistentVolume, old: PersistentVolume, {subresource, now, warn}: StrategyContext): void {
    if (subresource === '') for (const text of persistentVolumeWarnings(object, this.#naming)) warn(text);
    if (subresource === 'status' && this.#gates.enabled(transitionGate)) keepTransition(object, old, now);
    this.#dropDisabledFields(object, old);
  }

  validateCreate(object: PersistentVolume): FieldError[] {
    return persistentVolumeFaults(object, this.#gates.enabled('ReadWriteOncePod'), this.#naming);
  }

  validateUpdate(object: PersistentVolume, old: PersistentVolume, {subresource}: StrategyContext): FieldError[] {
    if (subresource === 'status') return [];
    const allowed = this.#gates.enabled('ReadWriteOncePod') || (old.spec?.accessModes?.includes('ReadWriteOncePod') ?? false);
    return [...persistentVolumeFaults(object, allowed, this.#naming), ...persistentVolumeUpdateFaults(object, old, this.#gates)];
  }

  tableCells({metadata, spec = {}, status}: PersistentVolume): Record<string, string> {
    const {claimRef} = spec;
    return {
      Capacity: spec.capacity?.['storage'] ?? '0',
      'Access Modes': accessModesText(spec.accessModes),
      Status: metadata.deletionTimestamp ? 'Terminating' : (status?.phase ?? ''),
      Claim: claimRef ? `${claimRef.namespace ?? ''}/${claimRef.name ?? ''}` : '',
      StorageClass: storageClassName(metadata, spec, this.#naming),
      VolumeAttributesClass: spec.volumeAttributesClassName ?? '<unset>',
      VolumeMode: spec.volumeMode ?? '<unset>',
    };
  }

  #dropDisabledFields({spec}: PersistentVolume, old: PersistentVolume | undefined): void {
    if (!spec?.csi?.nodeExpandSecretRef || this.#gates.enabled('CSINodeExpandSecret') || old?.spec?.csi?.nodeExpandSecretRef) return;
    delete spec.csi.nodeExpandSecretRef;
  }
}

/** Sets when the phase changed last, unless the client says so. Modifies `object`. */
function keepTransition({status}: PersistentVolume, {status: old}: PersistentVolume, now: Date): void {
  if (!status) return;
  const {lastPhaseTransitionTime: time} = status;
  const before = old?.lastPhaseTransitionTime;
  if (status.phase !== old?.phase) {
    if (!time || time === before) status.lastPhaseTransitionTime = secondsOf(now);
  } else if (!time && before) status.lastPhaseTransitionTime = before;
}

function secondsOf(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}
