import {posix} from 'node:path';
import {
  dnsSubdomainFaults,
  FieldPath,
  forbiddenField,
  invalid,
  notSupported,
  quantityAmount,
  required,
  type FeatureGates,
  type FieldError,
  type NamingProfile,
} from '../../../sdk/index.js';
import {
  isGiven,
  sameValue,
  validateImmutable,
  validateOptionalOneOf,
  validateOptionalText,
  validateText,
} from '../../../sdk/validation/index.js';
import type {PersistentVolume, PersistentVolumeSpec} from '../../../sdk/types/unchecked/core/v1.js';
import {validateNodeSelector} from '../../families/pods/node-selector.js';
import {referenceOf} from '../../families/volumes/source-members.js';
import {validateAccessModes} from '../../families/volumes/access-modes.js';
import {sourceFaults, sourceTypes} from './volume-sources.js';

const nano = 1_000_000_000n;
const specPath = FieldPath.of('spec');

/** Errors that apply to new and changed persistent volumes. */
export function persistentVolumeFaults(
  {metadata, spec = {}}: PersistentVolume,
  allowReadWriteOncePod: boolean,
  naming: NamingProfile,
): FieldError[] {
  const {persistentVolumeReclaimPolicy: policy} = spec;
  const faults = [
    ...validateAccessModes(spec.accessModes, specPath.child('accessModes'), allowReadWriteOncePod, ''),
    ...capacityFaults(spec.capacity ?? {}, specPath.child('capacity')),
    ...validateOptionalOneOf(policy || undefined, ['Delete', 'Recycle', 'Retain'], specPath.child('persistentVolumeReclaimPolicy')),
    ...affinityFaults(spec),
    ...sourceFaults(metadata.name ?? '', spec, specPath, naming),
    ...validateOptionalText(spec.storageClassName, specPath.child('storageClassName'), dnsSubdomainFaults),
    ...validateOptionalOneOf(spec.volumeMode, ['Block', 'Filesystem'], specPath.child('volumeMode')),
  ];
  const {volumeAttributesClassName: attributes} = spec;
  if (isGiven(attributes)) {
    const at = specPath.child('volumeAttributesClassName');
    faults.push(...validateText(attributes, at, dnsSubdomainFaults, 'an empty string is disallowed'));
    if (!spec.csi) faults.push(required(specPath.child('csi'), 'has to be specified when using volumeAttributesClassName'));
  }
  if (spec.hostPath?.path && posix.normalize(spec.hostPath.path) === '/' && policy === 'Recycle') {
    faults.push(forbiddenField(specPath.child('persistentVolumeReclaimPolicy'), "may not be 'recycle' for a hostPath mount of '/'"));
  }
  return faults;
}

/** Errors in a change: the source of the storage and its node affinity are immutable. */
export function persistentVolumeUpdateFaults({spec = {}}: PersistentVolume, old: PersistentVolume, gates: FeatureGates): FieldError[] {
  const before = old.spec ?? {};
  const faults: FieldError[] = [];
  if (!sameValue(sourceOf(spec, before), sourceOf(before, before))) {
    faults.push(forbiddenField(specPath.child('persistentvolumesource'), 'spec.persistentvolumesource is immutable after creation'));
  }
  faults.push(...validateImmutable(spec.volumeMode, before.volumeMode, specPath.child('volumeMode')));
  if (spec.volumeAttributesClassName !== before.volumeAttributesClassName) {
    const at = specPath.child('volumeAttributesClassName');
    if (!gates.enabled('VolumeAttributesClass'))
      faults.push(forbiddenField(at, 'update is forbidden when the VolumeAttributesClass feature gate is disabled'));
    if (!isGiven(spec.volumeAttributesClassName)) faults.push(forbiddenField(at, 'update from non-nil value to nil is forbidden'));
  }
  if (before.nodeAffinity && !gates.enabled('MutablePVNodeAffinity'))
    faults.push(...validateImmutable(spec.nodeAffinity, before.nodeAffinity, specPath.child('nodeAffinity')));
  return faults;
}

/** The source; a secret for resizing may be added later. */
function sourceOf(spec: PersistentVolumeSpec, before: PersistentVolumeSpec): Record<string, unknown> {
  const source: Record<string, unknown> = Object.fromEntries(sourceTypes.map((type) => [type, referenceOf(spec, type)]));
  if (spec.csi && !before.csi?.controllerExpandSecretRef) source['csi'] = {...spec.csi, controllerExpandSecretRef: null};
  return source;
}

function capacityFaults(capacity: Readonly<Record<string, string>>, path: FieldPath): FieldError[] {
  const entries = Object.entries(capacity);
  const faults = entries.length === 0 ? [required(path)] : [];
  if (entries.length !== 1 || !Object.hasOwn(capacity, 'storage')) faults.push(notSupported(path, capacity, ['storage']));
  for (const [name, amount] of entries) {
    const units = quantityAmount(amount);
    if (units < 0n) faults.push(invalid(path.key(name), wholeUnits(units), 'must be a valid resource quantity'));
    if (units <= 0n) faults.push(invalid(path.key(name), amount, 'must be greater than zero'));
  }
  return faults;
}

/** A negative amount in billionths as an integer, rounded away from 0. */
function wholeUnits(amount: bigint): bigint {
  return (amount - (nano - 1n)) / nano;
}

function affinityFaults({nodeAffinity}: PersistentVolumeSpec): FieldError[] {
  if (!nodeAffinity) return [];
  const at = specPath.child('nodeAffinity', 'required');
  return nodeAffinity.required ? validateNodeSelector(nodeAffinity.required, at) : [required(at, 'must specify required node constraints')];
}
