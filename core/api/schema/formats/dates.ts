import {parseDuration} from '../../../../sdk/values/duration.js';

/** Hours, minutes, seconds, any character before a fraction, and an offset whose range is not checked. */
const timeOfDay = /^(\d{2}):(\d{2}):(\d{2})(?:[^\n]\d+)?(?:z|[+-]\d{2}:\d{2})$/u;
const measure = /(\d+)[\t\n\f\r ]*([A-Za-zµ]+)/g;
/** Units by their exact names. The last of each row also matches words that start with it (`days`). */
const units: readonly (readonly string[])[] = [
  ['ns', 'nano'],
  ['us', 'µs', 'micro'],
  ['ms', 'milli'],
  ['s', 'sec'],
  ['m', 'min'],
  ['h', 'hr', 'hour'],
  ['d', 'day'],
  ['w', 'wk', 'week'],
];
/** Longer strings are not durations: real ones are short. */
const longestDuration = 1000;
const largestCount = '9223372036854775807';

/** Whether a string is a calendar date, `2006-01-02`. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/.test(text)) return false;
  // JavaScript moves a day that the month does not have into the next month instead of rejecting it.
  return new Date(`${text}T00:00:00Z`).getUTCDate() === Number(text.slice(8));
}

/** Whether a string is an RFC 3339 time, in either case. What follows a second `t` is ignored. */
export function isDateTime(text: string): boolean {
  const [date = '', time] = text.toLowerCase().split('t', 2);
  if (time === undefined || !isDate(date)) return false;
  const match = timeOfDay.exec(time);
  return match !== null && (match[1] as string) <= '23' && (match[2] as string) <= '59' && (match[3] as string) <= '59';
}

/**
 * Whether a string is a Go duration (`1h30m`), or contains numbers with units as Scala writes them (`3 weeks`). Such a number must fit 64
 * bits.
 */
export function isFormatDuration(text: string): boolean {
  if (text.length > longestDuration) return false;
  if (parseDuration(text) !== undefined) return true;
  let found = false;
  for (const [, count, unit] of text.matchAll(measure)) {
    if (exceeds64Bits(count as string)) return false;
    found ||= isUnit((unit as string).toLowerCase());
  }
  return found;
}

function isUnit(name: string): boolean {
  return units.some((names) => names.includes(name) || name.startsWith(names.at(-1) as string));
}

function exceeds64Bits(count: string): boolean {
  const digits = count.replace(/^0+/, '');
  return digits.length > largestCount.length || (digits.length === largestCount.length && digits > largestCount);
}
