import type {CronJob} from '../../../sdk/types/unchecked/batch/v1.js';
import type {Times} from './schedule-of.js';

/** More than so many times that were missed get a warning. As in Kubernetes. */
const mostMissed = 100;
/** Added to pauses, so that a clock that is a little behind does not wake too early. */
const paddingMillis = 100;

/** Times of a schedule that have come and had no Job. In milliseconds since 1970. */
export interface MissedRuns {
  /** Where the search began: the last time that had a Job, the creation of the CronJob, or as long ago as a Job may be late. */
  readonly since: number;
  /** The last one of them. */
  readonly last: number | undefined;
  readonly howMany: 'none' | 'few' | 'many';
}

/**
 * The times that were missed, of which the last one counts. How many there were is estimated from the first two of them.
 *
 * @param hasDeadline whether times are left out that are longer ago than the CronJob allows
 * @throws Error for a schedule that has no times, as on the 31st of February
 */
export function missedRuns({metadata, spec, status}: CronJob, times: Times, now: number, hasDeadline: boolean): MissedRuns {
  let since = Date.parse(status?.lastScheduleTime ?? metadata.creationTimestamp ?? '');
  const deadline = spec?.startingDeadlineSeconds;
  if (hasDeadline && typeof deadline === 'number') since = Math.max(since, now - deadline * 1000);
  const first = times.next(since);
  const second = first === undefined ? undefined : times.next(first);
  if (first !== undefined && now < first) return {since, last: undefined, howMany: 'none'};
  if (first !== undefined && second !== undefined && now < second) return {since, last: first, howMany: 'none'};
  const pause = Math.round(((second ?? 0) - (first ?? 0)) / 1000);
  if (first === undefined || second === undefined || pause < 1)
    throw new Error('time difference between two schedules is less than 1 second');
  const count = Math.floor(Math.floor((now - first) / 1000) / pause) + 1;
  // One pause less: those of a schedule may differ.
  let last: number | undefined;
  for (let time = times.next(first + (count - 2) * pause * 1000); time !== undefined && time <= now; time = times.next(time)) last = time;
  return {since, last, howMany: count > mostMissed ? 'many' : 'few'};
}

/** After how many milliseconds a CronJob is due next. */
export function millisUntilNext(cronJob: CronJob, times: Times, now: number): number {
  const next = times.next(lastBefore(cronJob, times, now));
  // A schedule without times is looked at once more, and refused.
  return next === undefined ? 0 : Math.max(next + paddingMillis - now, 0);
}

function lastBefore(cronJob: CronJob, times: Times, now: number): number {
  try {
    const {since, last, howMany} = missedRuns(cronJob, times, now, false);
    return last ?? (howMany === 'none' ? since : now);
  } catch {
    return now;
  }
}
