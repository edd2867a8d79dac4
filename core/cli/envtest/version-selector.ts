import {UsageError} from '../usage-error.js';

/** A version of Kubernetes: major, minor and patch. */
export type Version = readonly [number, number, number];

/** What a user asks for: one version, or a rule that some keep. */
export interface VersionSelector {
  /** The version, if just one can be meant. */
  readonly exact: Version | undefined;
  /** Only what has been written before is looked at. */
  readonly onDisk: boolean;
  matches(version: Version): boolean;
}

const expression = /^(?<operator><=|<|~)?v?(?<major>0|[1-9]\d{0,3})\.(?<minor>0|[1-9]\d{0,3})(?:\.(?<patch>0|[1-9]\d{0,3}|x|\*))?!?$/;

/**
 * Reads a selector of versions as setup-envtest has them: `1.34.2`, `1.34`, `1.34.x`, `~1.34.2` (any 1.34 from this patch on), `<1.30`, `<=1.30`, `latest`,
 * `latest-on-disk`. A `!` at the end asks for the newest there is, which is what is found anyway.
 *
 * @throws UsageError
 */
export function versionSelector(text: string): VersionSelector {
  const any = {exact: undefined, matches: () => true};
  if (text === '' || text === 'latest') return {...any, onDisk: false};
  if (text === 'latest-on-disk') return {...any, onDisk: true};
  const parts = expression.exec(text)?.groups;
  if (!parts) {
    throw new UsageError(
      `${JSON.stringify(text)} selects no version: write 1.34.2, 1.34 or 1.34.x, with ~, < or <= in front where more are meant, or latest or latest-on-disk`,
    );
  }
  const [major, minor] = [Number(parts['major']), Number(parts['minor'])];
  const isWild = !/^\d+$/.test(parts['patch'] ?? 'x');
  const patch = isWild ? 0 : Number(parts['patch']);
  const isOfMinor = (version: Version) => version[0] === major && version[1] === minor;
  // With < and no patch the whole minor version is meant, as 1.30.x is for setup-envtest.
  const order = (version: Version) => compareVersions(version, [major, minor, isWild ? version[2] : patch]);
  switch (parts['operator']) {
    case '<':
      return {exact: undefined, onDisk: false, matches: (version) => order(version) < 0};
    case '<=':
      return {exact: undefined, onDisk: false, matches: (version) => order(version) <= 0};
    case '~':
      return {exact: undefined, onDisk: false, matches: (version) => isOfMinor(version) && version[2] >= patch};
    default:
      return {
        exact: isWild ? undefined : [major, minor, patch],
        onDisk: false,
        matches: (version) => isOfMinor(version) && (isWild || version[2] === patch),
      };
  }
}

/** Negative if the first is older, 0 if they are the same. */
export function compareVersions(one: Version, other: Version): number {
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
}
