import {defaultRelease, gitVersionOf, newestRelease, oldestRelease, servedReleases} from '../api/lifetimes/releases.js';

export {defaultRelease, gitVersionOf, newestRelease, oldestRelease, servedReleases};

/** The releases that can be served, for messages. */
export const releaseRange = `${oldestRelease} to ${newestRelease}, ${defaultRelease} by default`;

/**
 * The release of Kubernetes whose API a server serves.
 *
 * @param given the value of `--release`; without one it is `defaultRelease`
 * @throws Error in one sentence for anything but a release that can be served
 */
export function resolveRelease(given: string | undefined): string {
  if (given === undefined) return defaultRelease;
  if (servedReleases.includes(given)) return given;
  throw new Error(`the release must be one from ${oldestRelease} to ${newestRelease}, written as 1.30, not ${JSON.stringify(given)}`);
}
