/** The first release whose API a server can serve. */
export const oldestRelease = '1.26';

/** The last release whose API a server can serve. */
export const newestRelease = '1.36';

/** The release that docs/semantics specifies. */
const specifiedRelease = '1.26';

/** All that a server can serve, oldest first. */
export const servedReleases: readonly string[] = Array.from({length: 11}, (_, index) => `1.${26 + index}`);

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

/**
 * The version that clients see, as in `v1.34.9+orch.0.1.0`.
 *
 * @param build version of this server
 */
export function gitVersionOf(release: string, build: string): string {
  return `v${release}.${patches[release] ?? 0}+orch.${build}`;
}

/**
 * What a server serves without `--release`: clients of Kubernetes expect the Kubernetes of today, others what docs/semantics specifies.
 *
 * @param platform name of its naming profile; `orch` if left out
 */
export function defaultReleaseOf(platform?: string): string {
  return platform === 'kubernetes' ? newestRelease : specifiedRelease;
}

/**
 * The release in which the repository's own promises are measured: those about flags, commands, feature gates and metrics, and about what docs/api
 * records. It does not depend on what a server serves.
 */
export const promiseRelease = '1.26';

/** The month of each minor release. Promises are measured in releases and months, whichever is longer. */
const months = [
  '2015-07',
  '2015-11',
  '2016-03',
  '2016-07',
  '2016-09',
  '2016-12',
  '2017-03',
  '2017-06',
  '2017-09',
  '2017-12',
  '2018-03',
  '2018-06',
  '2018-09',
  '2018-12',
  '2019-03',
  '2019-06',
  '2019-09',
  '2019-12',
  '2020-03',
  '2020-08',
  '2020-12',
  '2021-04',
  '2021-08',
  '2021-12',
  '2022-05',
  '2022-08',
  '2022-12',
  '2023-04',
  '2023-08',
  '2023-12',
  '2024-04',
  '2024-08',
  '2024-12',
  '2025-04',
  '2025-08',
  '2025-12',
  '2026-04',
] as const;

/** Releases after the last known one are assumed to be this many months apart. */
const expectedDistance = 4;

/** A period: the longer of the two. */
export interface Period {
  readonly months: number;
  readonly releases: number;
}

/**
 * Negative if the first release is older, 0 if they are the same.
 *
 * @throws TypeError for an invalid release
 */
export function compareReleases(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  return left.major - right.major || left.minor - right.minor;
}

export function majorOf(release: string): number {
  return partsOf(release).major;
}

/** Whether the releases are in ascending order; undefined ones are skipped, and neighbours may be equal. */
export function areOrdered(releases: readonly (string | undefined)[]): boolean {
  const given = releases.filter((release) => release !== undefined);
  return given.every((release, index) => index === 0 || compareReleases(given[index - 1]!, release) <= 0);
}

/** The first release that is at least this many releases and months later. */
export function releaseAfter(start: string, {months: wait, releases}: Period): string {
  const {major, minor} = partsOf(start);
  const due = monthOf(minor) + wait;
  let next = minor + releases;
  while (monthOf(next) < due) next++;
  return `${major}.${next}`;
}

function partsOf(release: string): {major: number; minor: number} {
  const parts = /^(\d+)\.(\d+)$/.exec(release);
  if (!parts) throw new TypeError(`${JSON.stringify(release)} is no release, as 1.26 is one`);
  return {major: Number(parts[1]), minor: Number(parts[2])};
}

/** Months since the year 0. */
function monthOf(minor: number): number {
  const last = months.length - 1;
  if (minor > last) return monthOf(last) + (minor - last) * expectedDistance;
  const [year, month] = months[minor]!.split('-').map(Number) as [number, number];
  return year * 12 + month;
}
