const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

function units(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;
}

/**
 * A duration in one or two units, as in Tables: `45s`, `2m5s`, `3h20m`, `4d`. Rounded down; a time up to a second in the future counts as
 * now, a later one is `<invalid>`.
 */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 2 * minute) return `${seconds}s`;
  const minutes = Math.floor(seconds / minute);
  if (minutes < 10) return units(minutes, 'm', seconds % minute, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(seconds / hour);
  if (hours < 8) return units(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(seconds / day);
  if (hours < 192) return units(days, 'd', hours % 24, 'h');
  const years = Math.floor(seconds / year);
  if (years < 2) return `${days}d`;
  if (years < 8) return units(years, 'y', days % 365, 'd');
  return `${years}y`;
}

/** The age of an object's timestamp, for a cell of a Table; `<unknown>` without one. */
export function age(timestamp: unknown, now: Date): string {
  const time = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
  return Number.isNaN(time) ? '<unknown>' : humanDuration(now.getTime() - time);
}
