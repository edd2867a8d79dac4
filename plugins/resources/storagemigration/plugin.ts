import {
  dns1035LabelFaults,
  dnsSubdomainFaults,
  FieldPath,
  invalid,
  required,
  strategy,
  type ApiObject,
  type FieldError,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import {validateConditions, validateImmutable} from '../../../sdk/validation/index.js';
import type {StorageVersionMigration} from '../../../sdk/types/unchecked/storagemigration/v1beta1.js';
import {
  alphaFaults,
  alphaStatusFaults,
  alphaUpdateFaults,
  fromAlpha,
  toAlpha,
  type AlphaMigration,
  type AlphaResource,
} from './alpha-migration.js';

const specPath = FieldPath.of('spec');
const resourcePath = specPath.child('resource', 'resource');
const groupPath = specPath.child('resource', 'group');
const versionPath = FieldPath.of('status', 'resourceVersion');
const conditionsPath = FieldPath.of('status', 'conditions');
const states = ['Running', 'Succeeded', 'Failed'];

/** StorageVersionMigration: has the objects of a type written again. What it is about is immutable; a controller reports in the status. */
@strategy()
export class StorageVersionMigrationStrategy implements ResourceStrategy<StorageVersionMigration> {
  convert(object: StorageVersionMigration, {version}: {readonly version: string}): ApiObject {
    return version === 'v1alpha1' ? toAlpha(object) : fromAlpha(object as AlphaMigration);
  }

  validateCreate(object: StorageVersionMigration, {version}: Pick<StrategyContext, 'version'>): FieldError[] {
    if (version === 'v1alpha1') return alphaFaults(object as AlphaMigration);
    const {spec} = object;
    const {group = '', resource = ''} = spec?.resource ?? {};
    return [
      ...(resource === ''
        ? [required(resourcePath, 'resource is required to be set')]
        : joined(dns1035LabelFaults(resource), resource, resourcePath)),
      ...(group === '' ? [] : joined(dnsSubdomainFaults(group), group, groupPath)),
    ];
  }

  validateUpdate(object: StorageVersionMigration, old: StorageVersionMigration, {subresource, version}: StrategyContext): FieldError[] {
    if (version === 'v1alpha1') {
      const [after, before] = [object as AlphaMigration, old as AlphaMigration];
      return subresource === 'status' ? alphaStatusFaults(after, before) : alphaUpdateFaults(after, before);
    }
    if (subresource === 'status') return statusFaults(object, old);
    return [...this.validateCreate(object, {version}), ...validateImmutable(object.spec, old.spec, specPath)];
  }

  tableCells({spec, status}: StorageVersionMigration): Record<string, string> {
    const {group, resource = '', version} = (spec?.resource ?? {}) as AlphaResource;
    if (version) return {Resource: `${resource}.${version}.${group ?? ''}`};
    const current = (status?.conditions ?? []).filter((condition) => condition.status === 'True' && states.includes(condition.type ?? ''));
    return {Resource: group ? `${resource}.${group}` : resource, Status: current.at(-1)?.type ?? 'Unknown'};
  }
}

function joined(details: readonly string[], value: string, path: FieldPath): FieldError[] {
  return details.length === 0 ? [] : [invalid(path, value, details.join(','))];
}

function statusFaults(object: StorageVersionMigration, old: StorageVersionMigration): FieldError[] {
  const {resourceVersion = '', conditions} = object.status ?? {};
  const faults = resourceVersion === '' ? [] : resourceVersionFaults(resourceVersion);
  faults.push(...validateConditions(conditions, conditionsPath));
  const before = old.status?.resourceVersion ?? '';
  if (before !== '') faults.push(...validateImmutable(resourceVersion, before, versionPath));
  const wrong = (detail: string) => faults.push(invalid(conditionsPath, conditions ?? [], detail));
  if (isTrue(object, 'Succeeded') && isTrue(object, 'Failed')) wrong('Both success and failed conditions cannot be true at the same time');
  if (isTrue(old, 'Succeeded') && !isTrue(object, 'Succeeded')) wrong('Success condition cannot be set to false once it is true');
  if (isTrue(old, 'Failed') && !isTrue(object, 'Failed')) wrong('Failed condition cannot be set to false once it is true');
  return faults;
}

function resourceVersionFaults(text: string): FieldError[] {
  if (/^[1-9]\d*$/.test(text)) return [];
  return [invalid(versionPath, text, `resource version is not well formed: ${text}`)];
}

function isTrue({status}: StorageVersionMigration, type: string): boolean {
  return (status?.conditions ?? []).find((condition) => condition.type === type)?.status === 'True';
}
