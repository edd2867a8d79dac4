import {age} from '../../../sdk/index.js';
import type {Event} from '../../../sdk/types/unchecked/core/v1.js';

/** Cells of an event's Table row that are computed from several fields. */
export function eventCells(object: Event, now: Date): Record<string, string | number> {
  const firstSeen = age(object.firstTimestamp ?? object.eventTime, now);
  return {
    'Last Seen': lastSeen(object, firstSeen, now),
    Object: involvedText(object),
    Source: sourceText(object),
    Message: (object.message ?? '').trim(),
    'First Seen': firstSeen,
    Count: object.series?.count ?? (object.count || 1),
  };
}

function lastSeen({series, lastTimestamp}: Event, firstSeen: string, now: Date): string {
  if (series) return age(series.lastObservedTime, now);
  return lastTimestamp ? age(lastTimestamp, now) : firstSeen;
}

function involvedText({involvedObject}: Event): string {
  const kind = (involvedObject?.kind ?? '').toLowerCase();
  return involvedObject?.name ? `${kind}/${involvedObject.name}` : kind;
}

function sourceText({source, reportingComponent, reportingInstance}: Event): string {
  const component = source?.component || reportingComponent || '';
  const host = source?.host || reportingInstance || '';
  return host === '' ? component : `${component}, ${host}`;
}
