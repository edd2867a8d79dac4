import {
  apiVersionOf,
  parseApiVersion,
  type ResourceDefinition,
  type ResourceVersionDefinition,
  type VersionLifetime,
} from '../../../sdk/index.js';
import {versionStability} from './version-stability.js';
import type {LifetimeFault, LifetimeRule} from './lifetime-fault.js';
import {areOrdered, compareReleases, majorOf, newestRelease, promiseRelease, releaseAfter} from './releases.js';

/** For a beta version: the maximum from introduction to deprecation, and the time from deprecation to removal. */
const betaPeriod = {months: 9, releases: 3} as const;

const rank = {alpha: 0, beta: 1, ga: 2} as const;

/**
 * Lifetime errors of the versions of resource types, each version by itself (docs/semantics/deprecation.md#stability-levels and #versions).
 * A stable version may be deprecated but stays for the whole major version. A beta version is deprecated at most 9 months or 3 releases
 * after its introduction, and removed after the same time again. Nothing is deprecated in favor of something less stable. Versions without
 * a lifetime are skipped.
 *
 * @param known types that `replacedBy` may name; if it contains the group, it must contain the version too
 */
export function versionLifetimeFaults(
  resources: readonly ResourceDefinition[],
  known = resources,
  release = promiseRelease,
): LifetimeFault[] {
  return resources.flatMap((definition) =>
    definition.versions.flatMap((version) =>
      version.lifetime === undefined ? [] : faultsOf(definition, version, version.lifetime, known, release),
    ),
  );
}

function faultsOf(
  definition: ResourceDefinition,
  {name}: ResourceVersionDefinition,
  lifetime: VersionLifetime,
  known: readonly ResourceDefinition[],
  release: string,
): LifetimeFault[] {
  const subject = `${apiVersionOf({group: definition.group, version: name})} ${definition.names.kind}`;
  const {introduced, stored, deprecated, removed, replacedBy} = lifetime;
  const faults: LifetimeFault[] = [];
  const add = (rule: LifetimeRule, text: string) => faults.push({rule, subject, text});

  if (!areOrdered([introduced, deprecated, removed])) add('order', 'a version is introduced first, then deprecated, and removed last');
  if (!areOrdered([introduced, stored, removed])) add('order', 'a version is stored after it was introduced and before it is removed');
  if (compareReleases(introduced, newestRelease) > 0)
    add('order', `it is introduced in ${introduced}, and the newest release is ${newestRelease}`);
  const stability = versionStability(name);
  if (stability === 'ga') {
    if (!/^v[1-9]\d*$/.test(name)) add('version-name', 'a stable version is named v and a whole number; others say alpha or beta');
    if (removed !== undefined && majorOf(removed) === majorOf(introduced))
      add('stable-removed', `a stable version is not removed within a major version, and it would be in ${removed}`);
  }
  if (stability === 'beta') faults.push(...betaFaults(subject, lifetime, release));
  if (replacedBy !== undefined) faults.push(...replacementFaults(subject, definition, name, replacedBy, known));
  return faults;
}

function betaFaults(subject: string, {introduced, deprecated, removed}: VersionLifetime, release: string): LifetimeFault[] {
  const faults: LifetimeFault[] = [];
  const add = (rule: LifetimeRule, text: string) => faults.push({rule, subject, text});
  const latest = releaseAfter(introduced, betaPeriod);
  if (deprecated === undefined ? compareReleases(release, latest) >= 0 : compareReleases(deprecated, latest) > 0) {
    add(
      'deprecated-late',
      `a beta version of ${introduced} is deprecated in ${latest} at the latest${deprecated === undefined ? '' : `, not in ${deprecated}`}`,
    );
  }
  if (deprecated === undefined) {
    if (removed !== undefined)
      add('removed-early', `a beta version is deprecated before it is removed, and it would be removed in ${removed}`);
    return faults;
  }
  const due = releaseAfter(deprecated, betaPeriod);
  const what = `a beta version that is deprecated in ${deprecated}`;
  if (removed !== undefined && compareReleases(removed, due) < 0)
    add('removed-early', `${what} is served until ${due}, and it would be removed in ${removed}`);
  if (removed === undefined ? compareReleases(release, due) >= 0 : compareReleases(removed, due) > 0) {
    add('removed-late', `${what} is removed in ${due}${removed === undefined ? '' : `, not in ${removed}`}`);
  }
  return faults;
}

function replacementFaults(
  subject: string,
  definition: ResourceDefinition,
  name: string,
  replacedBy: string,
  known: readonly ResourceDefinition[],
): LifetimeFault[] {
  const [apiVersion, kind = definition.names.kind] = replacedBy.split(' ');
  const replacement = parseApiVersion(apiVersion!);
  if (replacement === undefined)
    return [{rule: 'unknown-replacement', subject, text: `${replacedBy}, which takes its place, is no group version`}];
  const [own, other] = [versionStability(name), versionStability(replacement.version)];
  if (rank[other] < rank[own]) {
    return [{rule: 'less-stable-replacement', subject, text: `it is deprecated in favour of ${replacedBy}, which is less stable`}];
  }
  const group = known.filter((candidate) => candidate.group === replacement.group);
  const found = group.some(({names, versions}) => names.kind === kind && versions.some((version) => version.name === replacement.version));
  return group.length === 0 || found
    ? []
    : [{rule: 'unknown-replacement', subject, text: `${apiVersion}, which takes its place, has no ${kind}`}];
}
