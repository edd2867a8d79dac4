const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/** The steps in order: up to which length (exclusive, in seconds) a duration is told in which unit, and with which smaller one. */
const steps: readonly (readonly [below: number, unit: readonly [number, string], rest?: readonly [number, string]])[] = [
  [2 * minute, [1, 's']],
  [10 * minute, [minute, 'm'], [1, 's']],
  [3 * hour, [minute, 'm']],
  [8 * hour, [hour, 'h'], [minute, 'm']],
  [2 * day, [hour, 'h']],
  [8 * day, [day, 'd'], [hour, 'h']],
  [2 * year, [day, 'd']],
  [8 * year, [year, 'y'], [day, 'd']],
  [Infinity, [year, 'y']],
];

/** A duration as tables show it: short, the rougher the longer (`119s`, `3m5s`, `7h30m`, `5d3h`, `2y40d`). A second unit that is 0 is left out. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  const [, [unit, sign], rest] = steps.find(([below]) => seconds < below)!;
  const text = `${Math.floor(seconds / unit)}${sign}`;
  if (rest === undefined) return text;
  const remainder = Math.floor((seconds % unit) / rest[0]);
  return remainder === 0 ? text : `${text}${remainder}${rest[1]}`;
}

/** How long ago a timestamp was, as `formatDuration`; `<unknown>` when there is none, `<invalid>` when it cannot be read. */
export function formatAge(timestamp: unknown, now: Date): string {
  if (timestamp === undefined || timestamp === null || timestamp === '') return '<unknown>';
  const time = typeof timestamp === 'string' && rfc3339.test(timestamp) ? Date.parse(timestamp) : Number.NaN;
  return Number.isNaN(time) ? '<invalid>' : formatDuration(now.getTime() - time);
}

const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[-+]\d{2}:\d{2})$/;
