/** The seats that a priority level needs, and its bounds. */
export interface SeatClaim {
  /** At least `lowest`. */
  readonly target: number;
  readonly lowest: number;
  readonly highest: number;
}

/** Minimum target, so that idle levels share what is left over. */
const leastTarget = 0.001;
const rounds = 64;

/**
 * Divides seats so that each claim gets the same multiple of its target, within its bounds. The shares add up to `seats` if the bounds allow it; otherwise
 * every share is at its nearest bound.
 */
export function shareSeats(seats: number, claims: readonly SeatClaim[]): number[] {
  const shares = (multiple: number) =>
    claims.map(({target, lowest, highest}) => Math.min(highest, Math.max(lowest, multiple * Math.max(target, leastTarget))));
  const sum = (multiple: number) => shares(multiple).reduce((total, share) => total + share, 0);
  // The sum grows with the multiple until every claim is at its upper bound.
  let low = 0;
  let high = Math.max(0, ...claims.map(({target, highest}) => highest / Math.max(target, leastTarget)));
  if (sum(high) <= seats) return shares(high);
  for (let round = 0; round < rounds; round += 1) {
    const middle = (low + high) / 2;
    if (sum(middle) < seats) low = middle;
    else high = middle;
  }
  return shares(high);
}
