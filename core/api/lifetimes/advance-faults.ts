import {apiVersionOf, type ResourceDefinition, type ResourceVersionDefinition} from '../../../sdk/index.js';
import {existsIn, isServedByDefault} from './version-stability.js';
import {compareVersions} from './version-order.js';
import type {LifetimeFault} from './lifetime-fault.js';
import {compareReleases, promiseRelease} from './releases.js';

/**
 * Preferred and storage versions that advanced too early. A version introduced in the current release may be neither if the previous
 * release served another version of the group (docs/semantics/deprecation.md#preferred-and-storage-versions), because clients and servers
 * of both releases are in use during an upgrade.
 */
export function advanceFaults(resources: readonly ResourceDefinition[], release = promiseRelease): LifetimeFault[] {
  const groups = [...new Set(resources.map(({group}) => group))];
  return [
    ...groups.flatMap((group) => preferredFaults(group, resources, release)),
    ...resources.flatMap((definition) => storageFaults(definition, release)),
  ];
}

/** The version of a group that discovery prefers; undefined if none is served by default. */
export function preferredVersion(group: string, resources: readonly ResourceDefinition[], release = promiseRelease): string | undefined {
  return versionsOf(group, resources, release)
    .map(({name}) => name)
    .sort(compareVersions)[0];
}

function preferredFaults(group: string, resources: readonly ResourceDefinition[], release: string): LifetimeFault[] {
  const versions = versionsOf(group, resources, release);
  const preferred = preferredVersion(group, resources, release);
  const others = versions.filter(({name}) => name !== preferred);
  const ofPreferred = versions.filter(({name}) => name === preferred);
  if (
    !ofPreferred.some((version) => isNew(version, release)) ||
    ofPreferred.some((version) => isOld(version, release)) ||
    !others.some((version) => isOld(version, release))
  )
    return [];
  const older = [...new Set(others.filter((version) => isOld(version, release)).map(({name}) => name))].sort(compareVersions)[0]!;
  return [
    {
      rule: 'preferred-too-early',
      subject: apiVersionOf({group, version: preferred!}),
      text: `it comes with release ${release} and is preferred already; the release before served ${apiVersionOf({group, version: older})} only`,
    },
  ];
}

function storageFaults({group, names, versions}: ResourceDefinition, release: string): LifetimeFault[] {
  const storage = versions.length === 1 ? versions[0] : versions.find((version) => version.storage);
  if (storage === undefined || !isNew(storage, release) || !versions.some((version) => isOld(version, release))) return [];
  return [
    {
      rule: 'storage-too-early',
      subject: `${apiVersionOf({group, version: storage.name})} ${names.kind}`,
      text: `it comes with release ${release} and is the storage version already; servers of the release before cannot read what it writes`,
    },
  ];
}

/** The versions in which a group's types are served by default. */
function versionsOf(group: string, resources: readonly ResourceDefinition[], release: string): ResourceVersionDefinition[] {
  return resources
    .filter((definition) => definition.group === group)
    .flatMap(({versions}) => versions)
    .filter(({name, served, lifetime}) => existsIn(release, lifetime) && (served ?? isServedByDefault(name, lifetime)));
}

function isNew({lifetime}: ResourceVersionDefinition, release: string): boolean {
  return lifetime !== undefined && compareReleases(lifetime.introduced, release) === 0;
}

/** Whether the previous release had it. */
function isOld({lifetime}: ResourceVersionDefinition, release: string): boolean {
  if (lifetime === undefined || compareReleases(lifetime.introduced, release) >= 0) return false;
  return lifetime.removed === undefined || compareReleases(lifetime.removed, release) >= 0;
}
