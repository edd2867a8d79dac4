import type {CronSchedule, FieldValues} from './cron-schedule.js';
import type {TimeZone} from './time-zone.js';

const secondMillis = 1000;
const minuteMillis = 60_000;
const hourMillis = 3_600_000;

/** A schedule that has no time within so many years has none. */
const mostYears = 5;

/**
 * The first time of a schedule after an instant, both in milliseconds since 1970. Undefined if there is none within five years, as on the 31st of February. Where clocks change, the
 * times are those of Kubernetes: what falls into an hour that is left out does not happen, or an hour later.
 *
 * @param zone whose clocks count
 */
export function nextTime({fields, everyMillis = secondMillis}: CronSchedule, zone: TimeZone, after: number): number | undefined {
  const second = Math.floor(after / secondMillis) * secondMillis;
  if (!fields) return second + everyMillis;
  if (fields.some(({values}) => values.size === 0)) return undefined;
  let time = second + secondMillis;
  const last = zone.clockAt(time).getUTCFullYear() + mostYears;
  for (;;) {
    const shown = zone.clockAt(time);
    if (shown.getUTCFullYear() > last) return undefined;
    const later = laterTime(fields, zone, time, shown);
    if (later === undefined) return time;
    time = later;
  }
}

/** Undefined for a time that all fields allow; else one at or before the next that they could allow. */
function laterTime(
  [minutes, hours, days, months, weekdays]: NonNullable<CronSchedule['fields']>,
  zone: TimeZone,
  time: number,
  shown: Date,
): number | undefined {
  const [year, month, day] = [shown.getUTCFullYear(), shown.getUTCMonth(), shown.getUTCDate()];
  if (!months.values.has(month + 1)) return zone.instantOf(year, month + 1, 1);
  if (!isOnDay(days, weekdays, shown)) return atMidnight(zone, zone.instantOf(year, month, day + 1));
  const hour = shown.getUTCHours();
  const isFullHour = shown.getUTCMinutes() === 0 && shown.getUTCSeconds() === 0;
  // An hour that the clocks show twice would else be entered again and again.
  if (!hours.values.has(hour)) return (isFullHour ? time : zone.instantOf(year, month, day, hour)) + hourMillis;
  if (!minutes.values.has(shown.getUTCMinutes()) || shown.getUTCSeconds() !== 0)
    return Math.floor(time / minuteMillis) * minuteMillis + minuteMillis;
  return undefined;
}

/** If both fields say something, either will do. */
function isOnDay(days: FieldValues, weekdays: FieldValues, shown: Date): boolean {
  const isDay = days.values.has(shown.getUTCDate());
  const isWeekday = weekdays.values.has(shown.getUTCDay());
  return days.isAny || weekdays.isAny ? isDay && isWeekday : isDay || isWeekday;
}

/** Where the clocks are put forward at midnight the day begins an hour later. */
function atMidnight(zone: TimeZone, time: number): number {
  const hour = zone.clockAt(time).getUTCHours();
  return hour > 12 ? time + (24 - hour) * hourMillis : time;
}
