import {defaultReleaseOf, gitVersionOf, newestRelease, oldestRelease, servedReleases} from '../api/lifetimes/releases.js';

export {gitVersionOf, newestRelease, oldestRelease, servedReleases};

/** What is served without `--release`, for help. */
export const defaultReleaseText = `${defaultReleaseOf()}, and ${defaultReleaseOf('kubernetes')} with --platform kubernetes`;

/**
 * The release of Kubernetes whose API a server serves.
 *
 * @param given the value of `--release`; without one it is the default of the platform
 * @param platform name of the naming profile
 * @throws Error in one sentence for anything but a release that can be served
 */
export function resolveRelease(given: string | undefined, platform: string): string {
  if (given === undefined) return defaultReleaseOf(platform);
  if (servedReleases.includes(given)) return given;
  throw new Error(`the release must be one from ${oldestRelease} to ${newestRelease}, written as 1.30, not ${JSON.stringify(given)}`);
}
