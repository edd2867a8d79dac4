import {
  FieldPath,
  inject,
  strategy,
  Tokens,
  type FeatureGates,
  type FieldError,
  type NamingProfile,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import type {PersistentVolumeClaim} from '../../../sdk/types/unchecked/core/v1.js';
import {validateLabelSelector} from '../../../sdk/labels/index.js';
import {roundResourceList} from '../../families/pods/resource-list.js';
import {accessModesText} from '../../families/volumes/access-modes.js';
import {validatePersistentVolumeClaimSpec} from '../../families/volumes/persistent-volume-claim-spec.js';
import {claimWarnings} from './volume-warnings.js';
import {claimStatusFaults, claimUpdateFaults, sourceNamespaceFaults} from './claim-rules.js';
import {alignDataSources, dropForeignSource, dropUnknownSource} from './data-sources.js';
import {storageClassName} from './storage-class-name.js';

const specPath = FieldPath.of('spec');

/** PersistentVolumeClaim: a request for storage, and the right to use the volume bound to it. */
@strategy()
export class PersistentVolumeClaimStrategy implements ResourceStrategy<PersistentVolumeClaim> {
  readonly #naming: NamingProfile;
  readonly #gates: FeatureGates;

  constructor(@inject(Tokens.Naming) naming: NamingProfile, @inject(Tokens.FeatureGates) gates: FeatureGates) {
    this.#naming = naming;
    this.#gates = gates;
  }

  applyDefaults({spec, status}: PersistentVolumeClaim): void {
    roundResourceList(spec?.resources?.limits);
    roundResourceList(spec?.resources?.requests);
    roundResourceList(status?.capacity);
    roundResourceList(status?.allocatedResources);
  }

  prepareForCreate(object: PersistentVolumeClaim, {warn}: StrategyContext): void {
    for (const text of claimWarnings(object, this.#naming)) warn(text);
    object.status = {phase: 'Pending'};
    this.#resolveSources(object, undefined);
  }

  prepareForUpdate(object: PersistentVolumeClaim, old: PersistentVolumeClaim, {subresource, warn}: StrategyContext): void {
    if (subresource === '') for (const text of claimWarnings(object, this.#naming)) warn(text);
    if (subresource === '') this.#resolveSources(object, old);
    else this.#dropDisabledStatus(object, old);
  }

  validateCreate({spec = {}}: PersistentVolumeClaim): FieldError[] {
    const rules = {allowReadWriteOncePod: this.#gates.enabled('ReadWriteOncePod')};
    return [...validatePersistentVolumeClaimSpec(spec, specPath, rules), ...sourceNamespaceFaults(spec)];
  }

  validateUpdate(object: PersistentVolumeClaim, old: PersistentVolumeClaim, {subresource}: StrategyContext): FieldError[] {
    if (subresource === 'status') return claimStatusFaults(object, this.#naming, this.#gates);
    const {spec = {}} = object;
    const rules = {
      allowReadWriteOncePod: old.spec?.accessModes?.includes('ReadWriteOncePod') ?? false,
      allowInvalidSelectorValues: validateLabelSelector(old.spec?.selector, specPath).length > 0,
    };
    return [
      ...validatePersistentVolumeClaimSpec(spec, specPath, {
        ...rules,
        allowReadWriteOncePod: rules.allowReadWriteOncePod || this.#gates.enabled('ReadWriteOncePod'),
      }),
      ...sourceNamespaceFaults(spec),
      ...claimUpdateFaults(object, old, this.#naming, this.#gates),
    ];
  }

  tableCells({metadata, spec = {}, status = {}}: PersistentVolumeClaim): Record<string, string> {
    const isBound = Boolean(spec.volumeName);
    return {
      Status: metadata.deletionTimestamp ? 'Terminating' : (status.phase ?? ''),
      Volume: spec.volumeName ?? '',
      Capacity: isBound ? (status.capacity?.['storage'] ?? '0') : '',
      'Access Modes': isBound ? accessModesText(status.accessModes) : '',
      StorageClass: storageClassName(metadata, spec, this.#naming),
      VolumeAttributesClass: spec.volumeAttributesClassName ?? '<unset>',
      VolumeMode: spec.volumeMode ?? '<unset>',
    };
  }

  #resolveSources({spec}: PersistentVolumeClaim, old: PersistentVolumeClaim | undefined): void {
    if (!spec) return;
    dropForeignSource(spec, old?.spec, this.#gates);
    dropUnknownSource(spec, old?.spec, this.#naming);
    alignDataSources(spec);
  }

  #dropDisabledStatus({status}: PersistentVolumeClaim, old: PersistentVolumeClaim): void {
    if (!status || this.#gates.enabled('RecoverVolumeExpansionFailure')) return;
    if (!old.status?.allocatedResources) delete status.allocatedResources;
    if (!old.status?.allocatedResourceStatuses) delete status.allocatedResourceStatuses;
    if (!old.status?.resizeStatus) delete status.resizeStatus;
  }
}
