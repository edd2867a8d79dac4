import {FieldPath, invalid, required, type ApiObject, type FieldError} from '../../../sdk/index.js';
import {validateConditions, validateNonNegative} from '../../../sdk/validation/index.js';
import type {
  GroupVersionResource,
  MigrationCondition,
  StorageVersionMigration as Alpha,
} from '../../../sdk/types/unchecked/storagemigration/v1alpha1.js';
import type {StorageVersionMigration} from '../../../sdk/types/unchecked/storagemigration/v1beta1.js';

/** A migration of v1alpha1: it names the version of the type too, and its conditions have a time of their own. */
export type AlphaMigration = Alpha;
export type AlphaResource = GroupVersionResource;

const resourcePath = FieldPath.of('spec', 'resource');
const versionPath = FieldPath.of('status', 'resourceVersion');
const conditionsPath = FieldPath.of('status', 'conditions');

/** The form of later releases, which have neither a version nor a token. */
export function fromAlpha({spec, status, ...rest}: AlphaMigration): ApiObject {
  const {group = '', resource = ''} = spec?.resource ?? {};
  const conditions = (status?.conditions ?? []).map(({lastUpdateTime, ...condition}) => ({
    ...condition,
    lastTransitionTime: lastUpdateTime,
  }));
  return {
    ...rest,
    spec: {resource: {group, resource}},
    status: {...status, ...(conditions.length > 0 ? {conditions} : {})},
  } as unknown as ApiObject;
}

export function toAlpha({status, ...rest}: StorageVersionMigration): ApiObject {
  const conditions = (status?.conditions ?? []).map(({lastTransitionTime, observedGeneration: _generation, ...condition}) => ({
    ...condition,
    lastUpdateTime: lastTransitionTime,
  }));
  return {...rest, status: {...status, ...(conditions.length > 0 ? {conditions} : {})}} as unknown as ApiObject;
}

/** Errors in a migration. */
export function alphaFaults({spec}: AlphaMigration): FieldError[] {
  const {resource, version} = spec?.resource ?? {};
  return [
    ...(resource ? [] : [required(resourcePath.child('resource'), 'resource is required')]),
    ...(version ? [] : [required(resourcePath.child('version'), 'version is required')]),
  ];
}

/** Errors in a change of one. The paths of what cannot change are Kubernetes'. */
export function alphaUpdateFaults(object: AlphaMigration, old: AlphaMigration): FieldError[] {
  const [now, before] = [object.spec?.resource ?? {}, old.spec?.resource ?? {}];
  const changed = (['group', 'version', 'resource'] as const).filter((member) => (now[member] ?? '') !== (before[member] ?? ''));
  return [...alphaFaults(object), ...changed.map((member) => invalid(FieldPath.of(member), now[member] ?? '', 'field is immutable'))];
}

/** Errors in its status. */
export function alphaStatusFaults(object: AlphaMigration, old: AlphaMigration): FieldError[] {
  const {resourceVersion = '', conditions} = object.status ?? {};
  const faults = resourceVersionFaults(resourceVersion);
  faults.push(...conditionFaults(conditions ?? []));
  const before = old.status?.resourceVersion ?? '';
  if (before !== '' && before !== resourceVersion) faults.push(invalid(versionPath, resourceVersion, 'field is immutable'));
  const wrong = (detail: string) => faults.push(invalid(conditionsPath, conditions ?? [], detail));
  const [succeeded, failed, running] = ['Succeeded', 'Failed', 'Running'].map((type) => isTrue(object, type));
  if (succeeded && failed) wrong('Both success and failed conditions cannot be true at the same time');
  if (succeeded && running) wrong('Running condition cannot be true when success condition is true');
  if (failed && running) wrong('Running condition cannot be true when failed condition is true');
  if (isTrue(old, 'Succeeded') && !succeeded) wrong('Success condition cannot be set to false once it is true');
  if (isTrue(old, 'Failed') && !failed) wrong('Failed condition cannot be set to false once it is true');
  return faults;
}

function resourceVersionFaults(text: string): FieldError[] {
  if (text === '') return [];
  if (/^[+-]?\d+$/.test(text)) return validateNonNegative(Number(text), versionPath);
  const quoted = JSON.stringify(text);
  return [invalid(versionPath, text, `failed to parse resource version ${quoted}: strconv.ParseInt: parsing ${quoted}: invalid syntax`)];
}

function conditionFaults(conditions: readonly MigrationCondition[]): FieldError[] {
  return validateConditions(
    conditions.map(({lastUpdateTime, ...condition}) => ({...condition, lastTransitionTime: lastUpdateTime ?? ''})),
    conditionsPath,
  );
}

function isTrue({status}: AlphaMigration, type: string): boolean {
  return (status?.conditions ?? []).find((condition) => condition.type === type)?.status === 'True';
}
