import type {VersionLifetime} from '../../../sdk/index.js';
import {compareReleases} from './releases.js';

/** How much clients may rely on a version, by its name; `ga` for stable versions and for names of another form. */
export type VersionStability = 'alpha' | 'beta' | 'ga';

/** Beta versions introduced before this release are on by default, later ones are off. */
const betaOffSince = '1.22';

/** The stability level that a version's name indicates (docs/semantics/deprecation.md#stability-levels). */
export function versionStability(version: string): VersionStability {
  return version.includes('alpha') ? 'alpha' : version.includes('beta') ? 'beta' : 'ga';
}

/**
 * Whether a version is served if neither its definition nor the operator decides: stable versions are, and beta versions introduced before
 * release 1.22. A beta version without a lifetime counts as newer.
 */
export function isServedByDefault(version: string, lifetime?: VersionLifetime): boolean {
  const stability = versionStability(version);
  if (stability === 'beta') return lifetime !== undefined && compareReleases(lifetime.introduced, betaOffSince) < 0;
  return stability === 'ga';
}

/** Whether a release has a version: it has been introduced, and not removed. */
export function existsIn(release: string, lifetime: VersionLifetime | undefined): boolean {
  if (lifetime === undefined) return true;
  return compareReleases(lifetime.introduced, release) <= 0 && !isRemoved(lifetime, release);
}

/** Whether a release has removed a version. */
export function isRemoved(lifetime: VersionLifetime | undefined, release: string): boolean {
  return lifetime?.removed !== undefined && compareReleases(lifetime.removed, release) <= 0;
}
