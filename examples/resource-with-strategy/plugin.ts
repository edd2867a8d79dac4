import {
  FieldPath,
  forbiddenField,
  invalid,
  strategy,
  type ApiObject,
  type FieldError,
  type ResourceStrategy,
  type StrategyContext,
} from '@orch-api/orch/sdk';

/** A room that somebody wants for a time. Times are RFC 3339. */
export interface Reservation extends ApiObject {
  spec: {room: string; from: string; until?: string; seats?: number};
  status?: {phase?: 'Requested' | 'Confirmed' | 'Rejected'; message?: string};
}

const minute = 60_000;
const defaultMinutes = 60;
const longestMinutes = 8 * 60;
const spec = FieldPath.of('spec');

/**
 * What the schema of a reservation cannot express: a default that depends on another field, rules over two fields, a field
 * that never changes, a status that only the `status` subresource sets.
 */
@strategy()
export class ReservationStrategy implements ResourceStrategy<Reservation> {
  applyDefaults(object: Reservation): void {
    const from = Date.parse(object.spec?.from);
    if (Number.isNaN(from) || object.spec.until) return;
    object.spec.until = new Date(from + defaultMinutes * minute).toISOString().replace('.000Z', 'Z');
  }

  prepareForCreate(object: Reservation): void {
    object.status = {phase: 'Requested'};
  }

  prepareForUpdate(object: Reservation, old: Reservation, context: StrategyContext): void {
    // A different time is a new request: any decision about the old one no longer applies.
    const moved = object.spec.from !== old.spec.from || object.spec.until !== old.spec.until;
    if (context.subresource === '' && moved) object.status = {phase: 'Requested'};
  }

  validateCreate(object: Reservation): FieldError[] {
    const minutes = lengthInMinutes(object);
    if (minutes === undefined) return [];
    if (minutes <= 0) return [invalid(spec.child('until'), object.spec.until, 'must be later than spec.from')];
    if (minutes > longestMinutes)
      return [invalid(spec.child('until'), object.spec.until, `must be at most ${longestMinutes / 60} hours after spec.from`)];
    return [];
  }

  validateUpdate(object: Reservation, old: Reservation, context: StrategyContext): FieldError[] {
    const faults = this.validateCreate(object);
    if (object.spec.room !== old.spec.room) faults.push(invalid(spec.child('room'), object.spec.room, 'field is immutable'));
    if (context.subresource === 'status' && old.status?.phase === 'Rejected' && object.status?.phase === 'Confirmed') {
      faults.push(forbiddenField(FieldPath.of('status', 'phase'), 'a rejected reservation cannot be confirmed; ask for another time'));
    }
    return faults;
  }

  tableCells(object: Reservation): Record<string, number | null> {
    return {Minutes: lengthInMinutes(object) ?? null};
  }
}

function lengthInMinutes({spec: {from, until}}: Reservation): number | undefined {
  const minutes = (Date.parse(until ?? '') - Date.parse(from)) / minute;
  return Number.isNaN(minutes) ? undefined : Math.round(minutes);
}
