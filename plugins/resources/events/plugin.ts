import {
  inject,
  strategy,
  Tokens,
  age,
  type ApiObject,
  type FieldError,
  type NamingProfile,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import {convertEvent} from './event-conversion.js';
import {changedEventFaults, newEventFaults} from './event-faults.js';
import type {Event} from './event-types.js';

/**
 * Event of the group events.orch: another view of the core group's events, as which it is stored. The rules are stricter: the reporter and
 * action are required, and later only the series may change.
 */
@strategy()
export class EventStrategy implements ResourceStrategy<Event> {
  readonly #naming: NamingProfile;

  constructor(@inject(Tokens.Naming) naming: NamingProfile) {
    this.#naming = naming;
  }

  convert(object: Event, to: {readonly group: string; readonly version: string}): ApiObject {
    return convertEvent(object, to);
  }

  validateCreate(object: Event, context: StrategyContext): FieldError[] {
    return newEventFaults(object, context.namespace, this.#naming.systemNamespace);
  }

  validateUpdate(object: Event, old: Event, context: StrategyContext): FieldError[] {
    return changedEventFaults(object, old, context.namespace, this.#naming.systemNamespace);
  }

  tableCells(object: Event, now: Date): Record<string, string | number> {
    return eventCells(object, now);
  }
}

/** Cells of an event's Table row that are computed from several fields; the columns are those of core events. */
function eventCells(object: Event, now: Date): Record<string, string | number> {
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
