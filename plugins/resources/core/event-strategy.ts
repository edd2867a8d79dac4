import {
  inject,
  strategy,
  Tokens,
  type FieldError,
  type NamingProfile,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import type {Event} from '../../../sdk/types/unchecked/core/v1.js';
import {eventCells} from './event-cells.js';
import {eventFaults} from './event-rules.js';

/** Event: something that happened to an object. Kept for an hour after the last write. */
@strategy()
export class EventStrategy implements ResourceStrategy<Event> {
  readonly #naming: NamingProfile;

  constructor(@inject(Tokens.Naming) naming: NamingProfile) {
    this.#naming = naming;
  }

  validateCreate(object: Event, context: StrategyContext): FieldError[] {
    return eventFaults(object, context.namespace, this.#naming.systemNamespace);
  }

  validateUpdate(object: Event, _old: Event, context: StrategyContext): FieldError[] {
    return eventFaults(object, context.namespace, this.#naming.systemNamespace);
  }

  /** Includes the field names of the events group, which shows the same events. */
  selectableFields(object: Event): Record<string, string> {
    const {reportingComponent = ''} = object;
    const involvedObject: Readonly<Record<string, string | undefined>> = {...object.involvedObject};
    const fields: Record<string, string> = {
      source: object.source?.component || reportingComponent,
      reportingController: reportingComponent,
    };
    for (const member of ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'] as const) {
      fields[`regarding.${member}`] = involvedObject[member] ?? '';
    }
    return fields;
  }

  tableCells(object: Event, now: Date): Record<string, string | number> {
    return eventCells(object, now);
  }
}
