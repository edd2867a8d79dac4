import {age} from '../../../sdk/index.js';
import type {Event} from './event-types.js';

/** Cells of an event's Table row that are computed from several fields; the columns are those of core events. */
export function eventCells(object: Event, now: Date): Record<string, string | number> {
  const {series, regarding, deprecatedLastTimestamp: last} = object;
  const firstSeen = age(object.deprecatedFirstTimestamp ?? object.eventTime, now);
  const kind = (regarding?.kind ?? '').toLowerCase();
  return {
    'Last Seen': series ? age(series.lastObservedTime, now) : last ? age(last, now) : firstSeen,
    Object: regarding?.name ? `${kind}/${regarding.name}` : kind,
    Source: sourceText(object),
    Message: (object.note ?? '').trim(),
    'First Seen': firstSeen,
    Count: series?.count ?? (object.deprecatedCount || 1),
  };
}

function sourceText({deprecatedSource, reportingController, reportingInstance}: Event): string {
  const component = deprecatedSource?.component || reportingController || '';
  const host = deprecatedSource?.host || reportingInstance || '';
  return host === '' ? component : `${component}, ${host}`;
}
