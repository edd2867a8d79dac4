import {
  apiVersionOf,
  parseApiVersion,
  type FeatureGates,
  type NamingProfile,
  type ResourceDefinition,
  type ResourceVersionDefinition,
  type VersionLifetime,
} from '../../../sdk/index.js';
import {existsIn, isServedByDefault} from './version-stability.js';
import {compareReleases, oldestRelease} from './releases.js';

/** The versions of a type as of a release, with the columns and subresources that it has and whose gates are on, and with at most one storage version. */
export function versionsAtRelease(
  definition: Pick<ResourceDefinition, 'group' | 'names' | 'versions'>,
  naming: Pick<NamingProfile, 'group'>,
  release: string,
  gates: FeatureGates,
): ResourceVersionDefinition[] {
  const advanced = advancedStorage(definition.versions, release);
  return definition.versions.map((version) => {
    const {storage = false, ...rest} = versionAtRelease(definition, version, naming, release);
    const {subresources, printerColumns} = version;
    const isThere = ({introduced = oldestRelease, removed}: {readonly introduced?: string; readonly removed?: string}) =>
      existsIn(release, {introduced, ...(removed === undefined ? {} : {removed})});
    const present =
      subresources &&
      Object.entries(subresources).filter(
        ([, part]) => isThere(part) && (part.featureGate === undefined || gates.enabled(part.featureGate)),
      );
    return {
      ...rest,
      ...(present && {subresources: Object.fromEntries(present)}),
      ...(printerColumns && {printerColumns: printerColumns.filter(isThere)}),
      storage: advanced === undefined ? storage : version === advanced,
    };
  });
}

/** The version that took over from the one marked as `storage`, as of a release; undefined if none has yet. */
function advancedStorage(versions: readonly ResourceVersionDefinition[], release: string): ResourceVersionDefinition | undefined {
  return versions
    .filter(({lifetime}) => lifetime?.stored !== undefined && compareReleases(lifetime.stored, release) <= 0)
    .sort((a, b) => compareReleases(b.lifetime!.stored!, a.lifetime!.stored!))[0];
}

/**
 * A version as of a release. What the definition leaves out follows from its lifetime: whether it is served, whether it is
 * deprecated, and the text of the warning. A version that the release does not have is not served, whatever the definition says.
 *
 * @param naming how clients see the groups named in the warning
 */
export function versionAtRelease(
  definition: Pick<ResourceDefinition, 'group' | 'names' | 'versions'>,
  version: ResourceVersionDefinition,
  naming: Pick<NamingProfile, 'group'>,
  release: string,
): ResourceVersionDefinition {
  const {lifetime} = version;
  if (lifetime === undefined) return version;
  const served = existsIn(release, lifetime) && (version.served ?? isServedByDefault(version.name, lifetime));
  const deprecated = version.deprecated ?? (lifetime.deprecated !== undefined && compareReleases(lifetime.deprecated, release) <= 0);
  if (!deprecated) return {...version, served};
  return {
    ...version,
    served,
    deprecated,
    deprecationWarning: version.deprecationWarning ?? warningText(definition, version.name, lifetime, naming, release),
  };
}

/**
 * As Kubernetes words it: `GROUP/VERSION KIND is deprecated in v1.X+, unavailable in v1.Y+; use GROUP/VERSION KIND`. A version of the same type that
 * the release does not have yet is not advised.
 */
function warningText(
  {group, names, versions}: Pick<ResourceDefinition, 'group' | 'names' | 'versions'>,
  version: string,
  lifetime: VersionLifetime,
  naming: Pick<NamingProfile, 'group'>,
  release: string,
): string {
  const {deprecated, removed, announcedRemoval = removed, replacedBy} = lifetime;
  const seen = (groupVersion: {group: string; version: string}, kind: string) =>
    `${apiVersionOf({...groupVersion, group: naming.group(groupVersion.group)})} ${kind}`;
  const since = deprecated === undefined ? '' : ` in v${deprecated}+`;
  const until = announcedRemoval === undefined ? '' : `, unavailable in v${announcedRemoval}+`;
  const [apiVersion, kind = names.kind] = replacedBy?.split(' ') ?? [];
  const replacement = apiVersion === undefined ? undefined : parseApiVersion(apiVersion);
  const own = kind === names.kind && replacement?.group === group ? versions.find(({name}) => name === replacement.version) : undefined;
  const isYetToCome = own?.lifetime !== undefined && compareReleases(own.lifetime.introduced, release) > 0;
  const instead = replacement === undefined || isYetToCome ? '' : `; use ${seen(replacement, kind)}`;
  return `${seen({group, version}, names.kind)} is deprecated${since}${until}${instead}`;
}
