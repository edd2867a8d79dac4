import {
  inject,
  strategy,
  Tokens,
  type ApiObject,
  type FieldError,
  type NamingProfile,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import {eventCells} from './event-cells.js';
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
