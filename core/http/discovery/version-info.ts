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

/** Of each release the patch with whose published types ours were compared. */
const patches: Readonly<Record<string, number>> = {
  '1.26': 15,
  '1.27': 7,
  '1.28': 3,
  '1.29': 1,
  '1.30': 1,
  '1.31': 14,
  '1.32': 13,
  '1.33': 13,
  '1.34': 9,
  '1.35': 6,
  '1.36': 2,
};

/** @param release the one whose behaviour clients can rely on (docs/semantics/answers.md#release) @param build version of this server */
export function versionInfo(release: string, build: string): VersionInfo {
  const [major = '', minor = ''] = release.split('.');
  return {
    major,
    minor,
    gitVersion: `v${release}.${patches[release] ?? 0}+orch.${build}`,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: `node${process.version}`,
    compiler: 'v8',
    platform: `${process.platform}/${process.arch}`,
  };
}
