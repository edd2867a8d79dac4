import {apiVersionOf, type NamingProfile, type ResourceDefinition} from '../../sdk/index.js';
import {existsIn} from '../api/lifetimes/version-stability.js';
import {nearestName} from '../kernel/nearest-name.js';

const levels = ['api/all', 'api/alpha', 'api/beta', 'api/ga'];

/** Group versions, in the neutral form, that can be turned on although nothing is served under them: those of reviews that the server sends. */
const callbacks = [{group: 'imagepolicy.orch', version: 'v1alpha1'}];

/**
 * Refuses settings of `--runtime-config` about what no plugin provides: otherwise a mistyped key would silently have no effect.
 *
 * @throws Error that names all such settings
 */
export function checkRuntimeConfig(
  runtimeConfig: ReadonlyMap<string, boolean>,
  definitions: Iterable<ResourceDefinition>,
  naming: NamingProfile,
): void {
  if (runtimeConfig.size === 0) return;
  const known = knownResources(definitions, naming);
  const faults = [...runtimeConfig.keys()].flatMap((key) => keyFault(key, known) ?? []);
  if (faults.length > 0) throw new Error(`--runtime-config: ${faults.join('; ')}`);
}

/** The well-formed settings of `--runtime-config` whose version or resource no definition has in a release. */
export function runtimeConfigLacks(
  definitions: readonly ResourceDefinition[],
  naming: NamingProfile,
  release: string,
): (key: string) => boolean {
  const present = definitions.map((definition) => ({
    ...definition,
    versions: definition.versions.filter(({lifetime}) => existsIn(release, lifetime)),
  }));
  const known = knownResources(present, naming);
  return (key) => isWellFormed(key) && keyFault(key, known) !== undefined;
}

/** GROUP/VERSION or GROUP/VERSION/RESOURCE. */
function isWellFormed(key: string): boolean {
  const parts = key.split('/');
  return (parts.length === 2 || parts.length === 3) && !parts.includes('');
}

/** Resources by group version; the core group is called `api`. */
type KnownResources = ReadonlyMap<string, ReadonlySet<string>>;

function knownResources(definitions: Iterable<ResourceDefinition>, naming: NamingProfile): KnownResources {
  const known = new Map<string, Set<string>>();
  const resourcesOf = (group: string, version: string) => {
    const key = group === '' ? `api/${version}` : apiVersionOf({group: naming.group(group), version});
    if (!known.has(key)) known.set(key, new Set());
    return known.get(key)!;
  };
  for (const {group, versions, names} of definitions) for (const {name} of versions) resourcesOf(group, name).add(names.plural);
  for (const {group, version} of callbacks) resourcesOf(group, version);
  return known;
}

function keyFault(key: string, known: KnownResources): string | undefined {
  // The core group's version may stand alone.
  if (levels.includes(key) || known.has(`api/${key}`)) return undefined;
  const [group = '', version = '', resource] = key.split('/');
  if (!isWellFormed(key)) return `${key} is neither GROUP/VERSION nor GROUP/VERSION/RESOURCE nor one of ${levels.join(', ')}`;
  const groupVersions = [...known.keys()];
  const resources = known.get(`${group}/${version}`);
  if (!resources) {
    const groups = new Set(groupVersions.map((name) => name.slice(0, name.indexOf('/'))));
    if (!groups.has(group)) return `there is no API group ${group}${hint(group, groups)}`;
    const versions = groupVersions.filter((name) => name.startsWith(`${group}/`));
    return `there is no version ${version} of the API group ${group}; there is ${versions.join(', ')}`;
  }
  if (resource === undefined || resources.has(resource)) return undefined;
  return `there is no resource ${resource} in ${group}/${version}${hint(resource, resources)}`;
}

function hint(name: string, known: Iterable<string>): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? '' : `; did you mean ${nearest}?`;
}
