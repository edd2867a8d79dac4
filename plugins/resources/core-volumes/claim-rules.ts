import {compareQuantities, FieldPath, forbiddenField, invalid, type FieldError, type NamingProfile} from '../../../sdk/index.js';
import {invalidFor, sameValue, validateImmutable, validateOptionalOneOf} from '../../../sdk/validation/index.js';
import type {PersistentVolumeClaim, PersistentVolumeClaimSpec} from '../../../sdk/types/unchecked/core/v1.js';
import {resourceNameFaults} from '../../families/pods/resource-names.js';
import {validateResourceAmount} from '../../families/pods/resource-requirements.js';
import {classAnnotation} from './storage-class-name.js';

const specPath = FieldPath.of('spec');
const statusPath = FieldPath.of('status');
const resizeStates = [
  '',
  'ControllerExpansionFailed',
  'ControllerExpansionInProgress',
  'NodeExpansionFailed',
  'NodeExpansionInProgress',
  'NodeExpansionPending',
];

/** Errors in a change of a claim: a bound claim may grow, a missing class may be set, and the volume is set once. */
export function claimUpdateFaults(object: PersistentVolumeClaim, old: PersistentVolumeClaim, naming: NamingProfile): FieldError[] {
  const spec = object.spec ?? {};
  const before = old.spec ?? {};
  const faults: FieldError[] = [];
  if (!sameValue(comparable(spec, before, old), comparable(before, before, old))) {
    faults.push(forbiddenField(specPath, 'spec is immutable after creation except resources.requests for bound claims'));
  }
  const storage = spec.resources?.requests?.['storage'];
  if (old.status?.phase === 'Bound' && storage !== undefined && compareQuantities(storage, before.resources?.requests?.['storage']) < 0) {
    faults.push(forbiddenField(specPath.child('resources', 'requests', 'storage'), 'field can not be less than previous value'));
  }
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
    ...(isClassNew ? {storageClassName: undefined} : {}),
  };
}

/** Errors in the status of a claim. */
export function claimStatusFaults({status = {}}: PersistentVolumeClaim, naming: NamingProfile): FieldError[] {
  return [
    ...amountFaults(status.capacity, statusPath.child('capacity'), naming),
    ...amountFaults(status.allocatedResources, statusPath.child('allocatedResources'), naming),
    ...validateOptionalOneOf(status.resizeStatus, resizeStates, statusPath.child('resizeStatus')),
  ];
}

function amountFaults(amounts: Readonly<Record<string, string>> | undefined, path: FieldPath, naming: NamingProfile): FieldError[] {
  return Object.entries(amounts ?? {}).flatMap(([name, amount]) => {
    const at = path.key(name);
    return [...invalidFor(at, name, resourceNameFaults(name)), ...validateResourceAmount(name, amount, at, naming)];
  });
}

/** Errors in a data source reference that contradicts the data source. */
export function sourceNamespaceFaults({dataSource, dataSourceRef}: PersistentVolumeClaimSpec): FieldError[] {
  if (!dataSourceRef?.namespace || !dataSource) return [];
  return [invalid(specPath, 'dataSource', 'may not be specified when dataSourceRef.namespace is specified')];
}
