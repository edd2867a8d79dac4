/** How much clients may rely on a version, by its name; `ga` for stable ones and for names of another form. */
export type VersionStability = 'alpha' | 'beta' | 'ga';

/** The stability level that a version's name tells (specification, document 2, "Stability levels"). */
export function versionStability(version: string): VersionStability {
  return version.includes('alpha') ? 'alpha' : version.includes('beta') ? 'beta' : 'ga';
}

/**
 * Whether a version is served when neither its definition nor the operator says so: stable ones only, as every beta version
 * of a plugin is newer than release 1.22. Those of the platform that are older say so themselves.
 */
export function isServedByDefault(version: string): boolean {
  return versionStability(version) === 'ga';
}
