/** How a zone is doing: `full` if none of its nodes is ready, `partial` if many are not. */
export type ZoneState = 'initial' | 'normal' | 'partial' | 'full';

export interface ZoneRates {
  /** Nodes per second whose pods may have to leave. */
  readonly evictionRate: number;
  /** The same in a large zone with many nodes that are not ready. */
  readonly secondaryEvictionRate: number;
  /** Zones with more nodes are large: in smaller ones nothing is evicted while many nodes are not ready. */
  readonly largeZone: number;
  /** The share of nodes that are not ready from which on there are many. */
  readonly unhealthyShare: number;
}

/** The state of a zone by its nodes. Two nodes are never many. */
export function zoneState(ready: number, notReady: number, {unhealthyShare}: ZoneRates): ZoneState {
  if (ready === 0 && notReady > 0) return 'full';
  return notReady > 2 && notReady / (notReady + ready) >= unhealthyShare ? 'partial' : 'normal';
}

/** Nodes per second whose pods may have to leave in a zone; 0 for none. */
export function evictionRate(state: ZoneState, nodes: number, {evictionRate: rate, secondaryEvictionRate, largeZone}: ZoneRates): number {
  if (state !== 'partial') return rate;
  return nodes > largeZone ? secondaryEvictionRate : 0;
}
