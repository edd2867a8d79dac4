import {quantityAmount} from '../../../sdk/index.js';
import type {Node} from '../../../sdk/types/unchecked/core/v1.js';

/** Share of traffic by which a zone may have more than it should. */
const overload = 0.2;

/** A node, as far as the zones of endpoints are concerned. */
export interface ZoneNode {
  /** Empty if it has none. */
  readonly zone: string;
  readonly isReady: boolean;
  /** Nodes of the control plane take no part. */
  readonly isExcluded: boolean;
  /** In billionths of a processor. */
  readonly cpu: bigint;
}

/** Summary of a node. @param key as in `NamingProfile.key` */
export function zoneNode({metadata, status}: Node, key: (neutral: string) => string): ZoneNode {
  const labels = metadata.labels ?? {};
  return {
    zone: labels[key('topology.orch/zone')] ?? '',
    isReady: status?.conditions?.find(({type}) => type === 'Ready')?.status === 'True',
    isExcluded: ['control-plane', 'master'].some((role) => Object.hasOwn(labels, key(`node-role.orch/${role}`))),
    cpu: quantityAmount(status?.allocatable?.['cpu']),
  };
}

/** How many endpoints a zone should have. */
export interface Allocation {
  readonly least: number;
  readonly most: number;
  readonly desired: number;
}

/** The shares of zones in the processors of ready nodes; undefined if they cannot be known, or there is but one zone. */
export function zoneShares(nodes: Iterable<ZoneNode>): ReadonlyMap<string, number> | undefined {
  const byZone = new Map<string, bigint>();
  let total = 0n;
  for (const {zone, isReady, isExcluded, cpu} of nodes) {
    if (isExcluded || !isReady) continue;
    if (zone === '' || cpu === 0n) return undefined;
    total += cpu;
    byZone.set(zone, (byZone.get(zone) ?? 0n) + cpu);
  }
  if (byZone.size < 2) return undefined;
  return new Map([...byZone].map(([zone, cpu]) => [zone, Number(cpu) / Number(total)]));
}

/** Of so many endpoints, how many each zone should have; a text that says why that is not possible. */
export function allocate(shares: ReadonlyMap<string, number> | undefined, count: number): ReadonlyMap<string, Allocation> | string {
  if (!shares) return 'Insufficient Node information: allocatable CPU or zone not specified on one or more nodes';
  const counts = `(${count} endpoints, ${shares.size} zones)`;
  if (shares.size > count) return `Insufficient number of endpoints ${counts}`;
  const leasts = new Map<string, number>();
  let sum = 0;
  for (const [zone, share] of shares) {
    const least = leastOf(count, share);
    sum += least;
    leasts.set(zone, least);
    if (sum > count) return `Unable to allocate minimum required endpoints to each zone without exceeding overload threshold ${counts}`;
  }
  const spare = count - sum;
  return new Map(
    [...leasts].map(([zone, least]) => [zone, {least, most: least + spare, desired: Math.max(shares.get(zone)! * count, least)}]),
  );
}

/** Whether a zone has too few endpoints for its share. @param hints endpoints by zone */
export function isOverloaded(hints: ReadonlyMap<string, number>, shares: ReadonlyMap<string, number> | undefined): boolean {
  if (hints.size === 0) return false;
  if (!shares) return true;
  const total = [...hints.values()].reduce((sum, count) => sum + count, 0);
  for (const [zone, share] of shares) {
    const count = hints.get(zone);
    if (count === undefined || count < leastOf(total, share)) return true;
  }
  return false;
}

function leastOf(count: number, share: number): number {
  return Math.ceil(share * count * (1 / (1 + overload)));
}
