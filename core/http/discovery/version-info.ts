/** The response of `/version`: the release of the API that is served, and the build of this server. */
export interface VersionInfo {
  readonly major: string;
  readonly minor: string;
  readonly gitVersion: string;
  readonly gitCommit: string;
  readonly gitTreeState: string;
  readonly buildDate: string;
  readonly goVersion: string;
  readonly compiler: string;
  readonly platform: string;
}

/** The release whose behaviour clients can rely on (docs/semantics/answers.md#release). */
const release = {major: '1', minor: '26', patch: '15'} as const;

export function versionInfo(build: string): VersionInfo {
  return {
    major: release.major,
    minor: release.minor,
    gitVersion: `v${release.major}.${release.minor}.${release.patch}+orch.${build}`,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: `node${process.version}`,
    compiler: 'v8',
    platform: `${process.platform}/${process.arch}`,
  };
}
