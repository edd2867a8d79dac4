import {humanDuration} from '../../../sdk/index.js';

/** The age of a timestamp, as `humanDuration`; `<unknown>` if there is none, `<invalid>` if it is malformed. */
export function formatAge(timestamp: unknown, now: Date): string {
  if (timestamp === undefined || timestamp === null || timestamp === '') return '<unknown>';
  const time = typeof timestamp === 'string' && rfc3339.test(timestamp) ? Date.parse(timestamp) : Number.NaN;
  return Number.isNaN(time) ? '<invalid>' : humanDuration(now.getTime() - time);
}

const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[-+]\d{2}:\d{2})$/;
