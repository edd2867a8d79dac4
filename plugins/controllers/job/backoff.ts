import type {Kept} from './job-pod.js';

/** Pause after the first failure of a pod, and the longest; each is twice the one before. */
const firstMillis = 10_000;
const longestMillis = 600_000;

/** Failures since the last success, and when the last of them was. */
export interface Failures {
  readonly count: number;
  /** In milliseconds since 1970. */
  readonly lastAt: number;
}

export const noFailures: Failures = {count: 0, lastAt: 0};

/** With pods that have ended since. */
export function withEnded(before: Failures, succeeded: readonly Kept[], failed: readonly Kept[]): Failures {
  if (succeeded.length === 0 && failed.length === 0) return before;
  const ends = failed.map(({summary}) => summary.finishedAt);
  if (succeeded.length === 0) return {count: before.count + failed.length, lastAt: Math.max(...ends)};
  const success = Math.max(...succeeded.map(({summary}) => summary.finishedAt));
  const later = ends.filter((end) => end > success);
  return later.length === 0 ? noFailures : {count: later.length, lastAt: Math.max(...later)};
}

/** Milliseconds until a failed pod may be replaced. */
export function remainingMillis({count, lastAt}: Failures, now: number): number {
  if (count === 0) return 0;
  const pause = Math.min(firstMillis * 2 ** (count - 1), longestMillis);
  return Math.max(pause - (now - lastAt), 0);
}

/** The same for the index of a pod. */
export function remainingOfIndex(pod: Kept | undefined, now: number): number {
  if (!pod) return 0;
  const {failureCount, ignoredCount, finishedAt} = pod.summary;
  return remainingMillis({count: failureCount + ignoredCount + 1, lastAt: finishedAt}, now);
}
