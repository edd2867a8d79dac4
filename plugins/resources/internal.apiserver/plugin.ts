import {
  dns1035LabelFaults,
  dnsSubdomainFaults,
  duplicate,
  FieldPath,
  invalid,
  strategy,
  qualifiedNameFaults,
  required,
  type FieldError,
  type ResourceStrategy,
} from '../../../sdk/index.js';
import {invalidFor} from '../../../sdk/validation/index.js';
import type {
  ServerStorageVersion,
  StorageVersion,
  StorageVersionCondition,
} from '../../../sdk/types/unchecked/internal.apiserver/v1alpha1.js';

const statusPath = FieldPath.of('status');
const shown = 3;
const unreadable =
  "an apiVersion is a DNS-1035 label, which must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyVersion')";

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
    ...validateServers(versions, statusPath.child('storageVersions')),
    ...commonVersionFaults(commonOf(versions), commonEncodingVersion ?? undefined),
    ...storageConditionFaults(conditions ?? [], statusPath.child('conditions')),
  ];
}

function validateServers(versions: readonly ServerStorageVersion[], path: FieldPath): FieldError[] {
  const ids = new Set<string>();
  return versions.flatMap((version, index) => {
    const {apiServerID = ''} = version;
    const at = path.index(index);
    const repeated = ids.has(apiServerID) ? [duplicate(at.child('apiServerID'), apiServerID)] : [];
    ids.add(apiServerID);
    return [...repeated, ...serverFaults(version, at)];
  });
}

function serverFaults({apiServerID = '', encodingVersion = '', ...lists}: ServerStorageVersion, path: FieldPath): FieldError[] {
  const decodable = lists.decodableVersions ?? [];
  const decodablePath = path.child('decodableVersions');
  const faults = [
    ...invalidFor(path.child('apiServerID'), apiServerID, dnsSubdomainFaults(apiServerID)),
    ...apiVersionFaults(encodingVersion, path.child('encodingVersion')),
    ...decodable.flatMap((version, index) => apiVersionFaults(version, decodablePath.index(index))),
  ];
  const isDecodable = new Set(decodable);
  if (!isDecodable.has(encodingVersion))
    faults.push(invalid(decodablePath, decodable, `decodableVersions must include encodingVersion ${encodingVersion}`));
  const all = `[${decodable.join(' ')}]`;
  for (const [index, version] of (lists.servedVersions ?? []).entries()) {
    const at = path.child('servedVersions').index(index);
    faults.push(...apiVersionFaults(version, at));
    if (!isDecodable.has(version)) {
      const detail = `individual served version : ${version} must be included in decodableVersions : ${all}`;
      faults.push(invalid(at, version, detail));
    }
  }
  return faults;
}

/** The version that all servers write, empty if they name none; undefined if there are no servers or they disagree. */
function commonOf(versions: readonly ServerStorageVersion[]): string | undefined {
  const [first, ...others] = versions.map(({encodingVersion}) => encodingVersion ?? '');
  return others.every((version) => version === first) ? first : undefined;
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

/** Errors in a version, or a group and a version. One error names all that is wrong. */
function apiVersionFaults(text: string, path: FieldPath): FieldError[] {
  const [version = '', group, ...others] = text.split('/').toReversed();
  const details =
    others.length > 0
      ? [unreadable]
      : [
          ...(group === undefined ? [] : partFaults('group', group, dnsSubdomainFaults)),
          ...partFaults('version', version, dns1035LabelFaults),
        ];
  return details.length > 0 ? [invalid(path, text, details.join(','))] : [];
}

function partFaults(name: string, text: string, faultsOf: (text: string) => string[]): string[] {
  return (text === '' ? ['must be non-empty'] : faultsOf(text)).map((detail) => `${name} part: ${detail}`);
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
