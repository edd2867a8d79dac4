import {
  compareQuantities,
  FieldPath,
  forbiddenField,
  invalid,
  notSupported,
  qualifiedNameFaults,
  quantityAmount,
  type FeatureGates,
  type FieldError,
  type NamingProfile,
} from '../../../sdk/index.js';
import {invalidFor, isGiven, sameValue, validateImmutable, validateOptionalOneOf} from '../../../sdk/validation/index.js';
import type {PersistentVolumeClaim, PersistentVolumeClaimSpec} from '../../../sdk/types/unchecked/core/v1.js';
import {isNativeResource} from '../../families/pods/resource-names.js';
import {classAnnotation} from './storage-class-name.js';

const specPath = FieldPath.of('spec');
const statusPath = FieldPath.of('status');
const allocationStates = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
];
const resizeStates = [
  '',
  'ControllerExpansionFailed',
  'ControllerExpansionInProgress',
  'NodeExpansionFailed',
  'NodeExpansionInProgress',
  'NodeExpansionPending',
];

/** Errors in a change of a claim: a bound claim may grow, a missing class may be set, and the volume is set once. */
export function claimUpdateFaults(
  object: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  naming: NamingProfile,
  gates: FeatureGates,
): FieldError[] {
  const spec = object.spec ?? {};
  const before = old.spec ?? {};
  const faults: FieldError[] = [];
  if (!sameValue(comparable(spec, before, old), comparable(before, before, old))) {
    const changeable = gates.enabled('VolumeAttributesClass') ? 'resources.requests and volumeAttributesClassName' : 'resources.requests';
    faults.push(forbiddenField(specPath, `spec is immutable after creation except ${changeable} for bound claims`));
  }
  const storage = spec.resources?.requests?.['storage'];
  if (compareQuantities(storage, before.resources?.requests?.['storage']) < 0) {
    const at = specPath.child('resources', 'requests', 'storage');
    // What could not be provided can be asked for less, down to what there is.
    const isRecoverable = gates.enabled('RecoverVolumeExpansionFailure');
    if (!isRecoverable) faults.push(forbiddenField(at, 'field can not be less than previous value'));
    else if (compareQuantities(storage, old.status?.capacity?.['storage']) <= 0)
      faults.push(forbiddenField(at, 'field can not be less than status.capacity'));
  }
  if (spec.volumeAttributesClassName !== before.volumeAttributesClassName) faults.push(...classChangeFaults(spec, old, gates));
  const key = classAnnotation(naming);
  faults.push(
    ...validateImmutable(
      object.metadata.annotations?.[key],
      old.metadata.annotations?.[key],
      FieldPath.of('metadata', 'annotations').key(key),
    ),
  );
  return [...faults, ...validateImmutable(spec.volumeMode, before.volumeMode, specPath.child('volumeMode'))];
}

/** The spec without the changes that are allowed now. */
function comparable(
  spec: PersistentVolumeClaimSpec,
  before: PersistentVolumeClaimSpec,
  {status}: PersistentVolumeClaim,
): PersistentVolumeClaimSpec {
  const requests = {...spec.resources?.requests};
  const known = before.resources?.requests?.['storage'];
  if (status?.phase === 'Bound' && known !== undefined) requests['storage'] = known;
  const isClassNew = (before.storageClassName ?? null) === null;
  return {
    ...spec,
    resources: {...spec.resources, requests},
    ...(before.volumeName ? {} : {volumeName: ''}),
    ...(status?.phase === 'Bound' ? {volumeAttributesClassName: undefined} : {}),
    ...(isClassNew ? {storageClassName: undefined} : {}),
  };
}

/** A class that has been applied can be changed, but not taken away. */
function classChangeFaults(
  {volumeAttributesClassName: name}: PersistentVolumeClaimSpec,
  {status}: PersistentVolumeClaim,
  gates: FeatureGates,
): FieldError[] {
  const at = specPath.child('volumeAttributesClassName');
  if (!gates.enabled('VolumeAttributesClass'))
    return [forbiddenField(at, 'update is forbidden when the VolumeAttributesClass feature gate is disabled')];
  const what = !isGiven(name) ? 'nil' : name === '' ? 'empty string' : undefined;
  if (what === undefined || !isGiven(status?.currentVolumeAttributesClassName)) return [];
  return [forbiddenField(at, `update to ${what} is forbidden when status.currentVolumeAttributesClassName is not nil`)];
}

/** Errors in the status of a claim. */
export function claimStatusFaults({status = {}}: PersistentVolumeClaim, naming: NamingProfile, gates: FeatureGates): FieldError[] {
  const path = statusPath.child('allocatedResourceStatuses');
  const states = gates.enabled('RecoverVolumeExpansionFailure') ? Object.entries(status.allocatedResourceStatuses ?? {}) : [];
  return [
    ...states.flatMap(([name, state]) => [
      ...claimResourceFaults(name, path, naming),
      // The value is the name of the resource, as in Kubernetes.
      ...(allocationStates.includes(state) ? [] : [notSupported(path, name, allocationStates)]),
    ]),
    ...Object.entries(status.capacity ?? {}).flatMap(([name, amount]) => negativeFaults(amount, statusPath.child('capacity').key(name))),
    ...allocatedFaults(status.allocatedResources ?? {}, statusPath.child('allocatedResources'), naming),
    ...validateOptionalOneOf(status.resizeStatus, resizeStates, statusPath.child('resizeStatus')),
  ];
}

/** Of the platform's own resources a claim has storage alone. */
function claimResourceFaults(name: string, path: FieldPath, naming: NamingProfile): FieldError[] {
  const faults = invalidFor(path, name, qualifiedNameFaults(name));
  return faults.length === 0 && isNativeResource(name, naming) && name !== 'storage' ? [notSupported(path, name, ['storage'])] : faults;
}

function allocatedFaults(amounts: Readonly<Record<string, string>>, path: FieldPath, naming: NamingProfile): FieldError[] {
  return Object.entries(amounts).flatMap(([name, amount]) => {
    const unknown = claimResourceFaults(name, path, naming);
    return unknown.length > 0 ? unknown : negativeFaults(amount, path.key(name));
  });
}

function negativeFaults(amount: string, path: FieldPath): FieldError[] {
  return quantityAmount(amount) < 0n ? [invalid(path, amount, 'must be a valid resource quantity')] : [];
}

/** Errors in a data source reference that contradicts the data source. */
export function sourceNamespaceFaults({dataSource, dataSourceRef}: PersistentVolumeClaimSpec): FieldError[] {
  if (!dataSourceRef?.namespace || !dataSource) return [];
  return [invalid(specPath, 'dataSource', 'may not be specified when dataSourceRef.namespace is specified')];
}
