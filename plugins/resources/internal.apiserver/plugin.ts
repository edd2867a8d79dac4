import {
  dns1035LabelFaults,
  dnsSubdomainFaults,
  FieldPath,
  invalid,
  parseApiVersion,
  strategy,
  qualifiedNameFaults,
  required,
  type FieldError,
  type ResourceStrategy,
} from '../../../sdk/index.js';
import type {
  ServerStorageVersion,
  StorageVersion,
  StorageVersionCondition,
} from '../../../sdk/types/unchecked/internal.apiserver/v1alpha1.js';

const statusPath = FieldPath.of('status');
const shown = 3;

/** StorageVersion: the version in which each of several servers on one store writes the objects of a type. Named `GROUP.RESOURCE`. */
@strategy()
export class StorageVersionStrategy implements ResourceStrategy<StorageVersion> {
  validateCreate({metadata, status}: StorageVersion): FieldError[] {
    return [...nameFaults(metadata.name ?? ''), ...statusFaults(status ?? {})];
  }

  validateUpdate({status}: StorageVersion): FieldError[] {
    return statusFaults(status ?? {});
  }

  tableCells({status}: StorageVersion): Record<string, string> {
    return {
      CommonEncodingVersion: status?.commonEncodingVersion ?? '<unset>',
      StorageVersions: serversText(status?.storageVersions ?? []),
    };
  }
}

function nameFaults(name: string): FieldError[] {
  const path = FieldPath.of('metadata', 'name');
  const dot = name.lastIndexOf('.');
  if (dot === -1) return [invalid(path, name, 'name must be in the form of <group>.<resource>')];
  return [
    ...dnsSubdomainFaults(name.slice(0, dot)).map((detail) => invalid(path, name, `the group segment ${detail}`)),
    ...dns1035LabelFaults(name.slice(dot + 1)).map((detail) => invalid(path, name, `the resource segment ${detail}`)),
  ];
}

function statusFaults({storageVersions, commonEncodingVersion, conditions}: NonNullable<StorageVersion['status']>): FieldError[] {
  const versions = storageVersions ?? [];
  return [
    ...versions.flatMap((version, index) => serverFaults(version, statusPath.child('storageVersions').index(index))),
    ...commonVersionFaults(commonOf(versions), commonEncodingVersion ?? undefined),
    ...storageConditionFaults(conditions ?? [], statusPath.child('conditions')),
  ];
}

function serverFaults(
  {apiServerID = '', encodingVersion = '', decodableVersions = []}: ServerStorageVersion,
  path: FieldPath,
): FieldError[] {
  const decodablePath = path.child('decodableVersions');
  const faults = [
    ...dnsSubdomainFaults(apiServerID).map((detail) => invalid(path.child('apiServerID'), apiServerID, detail)),
    ...apiVersionFaults(encodingVersion).map((detail) => invalid(path.child('encodingVersion'), encodingVersion, detail)),
    ...decodableVersions.flatMap((version, index) =>
      apiVersionFaults(version).map((detail) => invalid(decodablePath.index(index), version, detail)),
    ),
  ];
  if (!decodableVersions.includes(encodingVersion)) {
    faults.push(invalid(decodablePath, decodableVersions, `decodableVersions must include encodingVersion ${encodingVersion}`));
  }
  return faults;
}

/** The version that all servers write; undefined if there are none or they disagree. */
function commonOf(versions: readonly ServerStorageVersion[]): string | undefined {
  const first = versions[0]?.encodingVersion;
  return versions.every(({encodingVersion}) => encodingVersion === first) ? first : undefined;
}

function commonVersionFaults(actual: string | undefined, given: string | undefined): FieldError[] {
  if (actual === given) return [];
  const path = statusPath.child('commonEncodingVersion');
  if (actual === undefined) {
    return [
      invalid(
        path,
        given,
        'should be nil if servers do not agree on the same encoding version, or if there is no server reporting the supported versions yet',
      ),
    ];
  }
  return [
    invalid(
      path,
      given,
      given === undefined ? `the common encoding version is ${actual}` : `the actual common encoding version is ${actual}`,
    ),
  ];
}

function apiVersionFaults(text: string): string[] {
  const parsed = parseApiVersion(text);
  if (!parsed) return ['an apiVersion is VERSION or GROUP/VERSION'];
  return [
    ...(text.includes('/') ? dnsSubdomainFaults(parsed.group).map((detail) => `group part: ${detail}`) : []),
    ...dns1035LabelFaults(parsed.version).map((detail) => `version part: ${detail}`),
  ];
}

function serversText(versions: readonly ServerStorageVersion[]): string {
  if (versions.length === 0) return '<unset>';
  const text = versions
    .slice(0, shown)
    .map(({apiServerID, encodingVersion}) => `${apiServerID ?? ''}=${encodingVersion ?? ''}`)
    .join(',');
  return versions.length > shown ? `${text} + ${versions.length - shown} more...` : text;
}

/** Errors in the conditions of a storage version. Types and statuses are open: any qualified name is valid. */
function storageConditionFaults(conditions: readonly StorageVersionCondition[], path: FieldPath): FieldError[] {
  const seen = new Map<string, number>();
  return conditions.flatMap(({type = '', status = '', reason, message}, index) => {
    const at = path.index(index);
    const faults: FieldError[] = [];
    const first = seen.get(type);
    if (first === undefined) seen.set(type, index);
    else faults.push(invalid(at.child('type'), type, `the type of the condition is not unique, it also appears in conditions[${first}]`));
    faults.push(...qualifiedNameFaults(type).map((detail) => invalid(at.child('type'), type, detail)));
    faults.push(...qualifiedNameFaults(status).map((detail) => invalid(at.child('status'), status, detail)));
    if (!reason) faults.push(required(at.child('reason'), 'reason cannot be empty'));
    if (!message) faults.push(required(at.child('message'), 'message cannot be empty'));
    return faults;
  });
}
