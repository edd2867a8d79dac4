import {gitVersionOf} from '../../api/lifetimes/releases.js';

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

/** @param release the one whose behaviour clients can rely on (docs/semantics/answers.md#release) @param build version of this server */
export function versionInfo(release: string, build: string): VersionInfo {
  const [major = '', minor = ''] = release.split('.');
  return {
    major,
    minor,
    gitVersion: gitVersionOf(release, build),
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: `node${process.version}`,
    compiler: 'v8',
    platform: `${process.platform}/${process.arch}`,
  };
}
