/** The work of a request, estimated before it is served. */
export interface Work {
  /** Seats while it is served. */
  readonly seats: number;
  /** Seats after its response, while watches are notified of its change; 0 for none. */
  readonly finalSeats: number;
  /** How long it holds these, in milliseconds. The caller does not wait for it. */
  readonly finalMillis: number;
}

/** A request of one seat, as most are. */
export const oneSeat: Work = {seats: 1, finalSeats: 0, finalMillis: 0};

/** Seats that a request occupies throughout. */
export function widthOf({seats, finalSeats}: Work): number {
  return Math.max(seats, finalSeats);
}
