import {
  dnsLabelFaults,
  dnsSubdomainFaults,
  invalid,
  quantityAmount,
  required,
  type FieldError,
  type FieldPath,
} from '../../../sdk/index.js';
import {validateLabelSelector} from '../../../sdk/labels/index.js';
import {sameValue, validateOptionalOneOf, validateOptionalText, validateText} from '../../../sdk/validation/index.js';
import type {PersistentVolumeClaimSpec, TypedObjectReference} from '../../../sdk/types/unchecked/core/v1.js';
import {validateAccessModes} from './access-modes.js';

export interface ClaimRules {
  /** Whether the feature gate `ReadWriteOncePod` is on, or the stored object already uses the mode. */
  readonly allowReadWriteOncePod?: boolean;
  /** Stored objects may keep selectors with values that are invalid for labels. */
  readonly allowInvalidSelectorValues?: boolean;
}

/** Errors in the spec of a claim, alone or in a template. */
export function validatePersistentVolumeClaimSpec(spec: PersistentVolumeClaimSpec, path: FieldPath, rules: ClaimRules = {}): FieldError[] {
  const {dataSource, dataSourceRef} = spec;
  const faults = [
    ...validateAccessModes(
      spec.accessModes,
      path.child('accessModes'),
      rules.allowReadWriteOncePod === true,
      'at least 1 access mode is required',
    ),
    ...validateLabelSelector(spec.selector, path.child('selector'), {allowInvalidValues: rules.allowInvalidSelectorValues === true}),
    ...validateStorage(spec.resources?.requests, path.child('resources').key('storage')),
    ...validateOptionalText(spec.storageClassName, path.child('storageClassName'), dnsSubdomainFaults),
    ...validateOptionalOneOf(spec.volumeMode, ['Block', 'Filesystem'], path.child('volumeMode')),
    ...validateOptionalText(spec.volumeAttributesClassName, path.child('volumeAttributesClassName'), dnsSubdomainFaults),
  ];
  if (dataSource) faults.push(...validateDataSource(dataSource, path.child('dataSource')));
  if (dataSourceRef) {
    const at = path.child('dataSourceRef');
    faults.push(
      ...validateDataSource(dataSourceRef, at),
      ...validateOptionalText(dataSourceRef.namespace, at.child('namespace'), dnsLabelFaults),
    );
  }
  if (dataSource && dataSourceRef && !dataSourceRef.namespace && !sameValue(dataSource, dataSourceRef)) {
    faults.push(invalid(path, 'dataSource', 'must match dataSourceRef'));
  }
  return faults;
}

function validateStorage(requests: Readonly<Record<string, string>> | undefined, path: FieldPath): FieldError[] {
  const storage = requests && Object.hasOwn(requests, 'storage') ? requests['storage'] : undefined;
  if (storage === undefined) return [required(path)];
  return quantityAmount(storage) > 0n ? [] : [invalid(path, storage, 'must be greater than zero')];
}

/** Only a claim may be named without a group. */
function validateDataSource({apiGroup, kind, name}: TypedObjectReference, path: FieldPath): FieldError[] {
  const faults = [...validateText(name, path.child('name')), ...validateText(kind, path.child('kind'))];
  if (!apiGroup && kind !== 'PersistentVolumeClaim') {
    faults.push(invalid(path, kind ?? '', "must be 'PersistentVolumeClaim' when referencing the default apiGroup"));
  }
  return [...faults, ...validateOptionalText(apiGroup, path.child('apiGroup'), dnsSubdomainFaults)];
}
