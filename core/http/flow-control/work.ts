/** How much of the server a request takes, as estimated before it is served. */
export interface Work {
  /** Seats while it is served. */
  readonly seats: number;
  /** Seats behind its answer, while others are told of what it changed; 0 for none. */
  readonly finalSeats: number;
  /** How long these are taken, in milliseconds. The caller does not wait for it. */
  readonly finalMillis: number;
}

/** A request that takes one seat while it is served. Most do. */
export const oneSeat: Work = {seats: 1, finalSeats: 0, finalMillis: 0};

/** Seats that are kept for a request from beginning to end. */
export function widthOf({seats, finalSeats}: Work): number {
  return Math.max(seats, finalSeats);
}
