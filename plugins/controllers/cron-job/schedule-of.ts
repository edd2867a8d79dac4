import type {CronJobSpec} from '../../../sdk/types/unchecked/batch/v1.js';
import {parseCronSchedule} from '../../families/cron-schedules/cron-schedule.js';
import {nextTime} from '../../families/cron-schedules/next-time.js';
import {isTimeZone, TimeZone} from '../../families/cron-schedules/time-zone.js';

/** The times of a CronJob, in milliseconds since 1970. */
export interface Times {
  /** The first one after an instant; undefined if there is none. */
  next(after: number): number | undefined;
}

/** Whether a schedule names a time zone by itself, which is not supported and works. */
export function namesZone({schedule = ''}: CronJobSpec): boolean {
  return schedule.includes('TZ');
}

/** The time zone that cannot be found; undefined if there is no such fault. */
export function unknownZone({timeZone}: CronJobSpec): string | undefined {
  return typeof timeZone === 'string' && timeZone !== '' && !isTimeZone(timeZone) ? timeZone : undefined;
}

/** The times of a schedule, in its time zone, else that of the CronJob, else that of the server's process; or why it cannot be read. */
export function timesOf(spec: CronJobSpec): Times | string {
  const parsed = parseCronSchedule(spec.schedule ?? '');
  if (typeof parsed === 'string') return parsed;
  const zone = new TimeZone(parsed.zone ?? (spec.timeZone || undefined));
  return {next: (after) => nextTime(parsed, zone, after)};
}
