import {inject, strategy, Tokens, type FieldError, type NamingProfile, type ResourceStrategy, type StrategyContext} from '../../../sdk/index.js';
import type {Event} from './core-types.js';
import {eventCells} from './event-cells.js';
import {eventFaults} from './event-rules.js';

/** Event: what happened to an object. Kept for an hour after the last write. */
@strategy()
export class EventStrategy implements ResourceStrategy<Event> {
  constructor(@inject(Tokens.Naming) private readonly naming: NamingProfile) {}

  validateCreate(object: Event, context: StrategyContext): FieldError[] {
    return eventFaults(object, context.namespace, this.naming.systemNamespace);
  }

  validateUpdate(object: Event, _old: Event, context: StrategyContext): FieldError[] {
    return eventFaults(object, context.namespace, this.naming.systemNamespace);
  }

  selectableFields(object: Event): Record<string, string> {
    return {source: object.source?.component || object.reportingComponent || ''};
  }

  tableCells(object: Event, now: Date): Record<string, string | number> {
    return eventCells(object, now);
  }
}
