import type {Endpoint} from '../../../sdk/types/unchecked/discovery/v1.js';
import {endpointsOf, isReadyEndpoint} from '../../families/endpoints/slice-content.js';
import {countReady, dropHints, touch, writtenSlices, type SlicePlan} from './slice-plan.js';
import {allocate, isOverloaded, type Allocation} from './zone-shares.js';

/** What is said about hints. */
export interface HintEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: 'TopologyAwareHintsEnabled' | 'TopologyAwareHintsDisabled';
  readonly note: string;
}

type Counts = Map<string, number>;

/**
 * Hints by which each zone gets as many of the endpoints of a service as it has of the processors (`service.orch/topology-mode: Auto`), and which services have them. Of nodes it knows the shares
 * of their zones alone.
 */
export class TopologyHints {
  #shares: ReadonlyMap<string, number> | undefined;
  /** Endpoints by zone, by family of addresses, by service. */
  readonly #hints = new Map<string, Map<string, Counts>>();

  /**
   * The nodes have changed.
   *
   * @returns keys of services whose endpoints are not spread as they should be
   */
  setShares(shares: ReadonlyMap<string, number> | undefined): string[] {
    this.#shares = shares;
    return [...this.#hints].flatMap(([key, families]) =>
      [...families.values()].some((hints) => isOverloaded(hints, shares)) ? [key] : [],
    );
  }

  /** Gives the endpoints of a plan their hints. @returns what is to be said */
  add(service: string, family: string, plan: SlicePlan): HintEvent[] {
    const allocations = allocate(this.#shares, countReady(plan));
    const refuse = (why: string): HintEvent[] => {
      this.#forget(service, family);
      dropHints(plan);
      return [disabled(why, family)];
    };
    if (typeof allocations === 'string') return refuse(allocations);
    const hinted = hintedByZone(plan, allocations);
    for (const slice of writtenSlices(plan)) {
      for (const endpoint of endpointsOf(slice)) {
        if (!isReadyEndpoint(endpoint)) continue;
        if (!endpoint.zone) return refuse('One or more endpoints do not have a zone specified');
        count(hinted, endpoint.zone, 1);
        endpoint.hints = {forZones: [{name: endpoint.zone}]};
      }
    }
    const {giving, receiving} = surplus(allocations, hinted);
    for (const slice of writtenSlices(plan)) redistribute(endpointsOf(slice), giving, receiving, hinted);
    if (hinted.size === 0) return refuse('No hints allocated for zones');
    const isNew = !this.#hints.has(service);
    const families = this.#hints.get(service) ?? new Map<string, Counts>();
    this.#hints.set(service, families.set(family, hinted));
    return isNew
      ? [{type: 'Normal', reason: 'TopologyAwareHintsEnabled', note: about('Topology Aware Hints has been enabled', family)}]
      : [];
  }

  /** The service does not want hints. @returns what is to be said if it had some */
  remove(service: string, family: string): HintEvent[] {
    const hadHints = this.#hints.has(service);
    this.#forget(service, family);
    return hadHints ? [disabled('Topology Aware Hints has been disabled', family)] : [];
  }

  /** The service is gone. */
  forget(service: string): void {
    this.#hints.delete(service);
  }

  #forget(service: string, family: string): void {
    const families = this.#hints.get(service);
    families?.delete(family);
    if (families?.size === 0) this.#hints.delete(service);
  }
}

function disabled(why: string, family: string): HintEvent {
  return {type: 'Warning', reason: 'TopologyAwareHintsDisabled', note: about(why, family)};
}

function about(text: string, family: string): string {
  return `${text}, addressType: ${family}`;
}

function count(counts: Counts, zone: string, amount: number): void {
  counts.set(zone, (counts.get(zone) ?? 0) + amount);
}

/** Hints of the slices that are left as they are, by zone. Slices whose hints cannot stay are written. */
function hintedByZone(plan: SlicePlan, allocations: ReadonlyMap<string, Allocation>): Counts {
  const all: Counts = new Map();
  for (const slice of plan.unchanged) {
    const own = hintsOfSlice(endpointsOf(slice), allocations);
    const mayStay = own && [...own].every(([zone, hints]) => hints + (all.get(zone) ?? 0) <= allocations.get(zone)!.most);
    if (!mayStay) touch(plan, slice);
    else for (const [zone, hints] of own) count(all, zone, hints);
  }
  return all;
}

/** Undefined if one has no hint, or one for a zone that gets none. */
function hintsOfSlice(endpoints: readonly Endpoint[], allocations: ReadonlyMap<string, Allocation>): Counts | undefined {
  const counts: Counts = new Map();
  for (const {hints} of endpoints.filter(isReadyEndpoint)) {
    const zones = hints?.forZones ?? [];
    if (zones.length === 0) return undefined;
    for (const {name = ''} of zones) {
      if (!allocations.has(name)) return undefined;
      count(counts, name, 1);
    }
  }
  return counts;
}

/** How many endpoints zones have to give to others, and how many those take. */
function surplus(allocations: ReadonlyMap<string, Allocation>, hinted: Counts): {giving: Counts; receiving: Counts} {
  const exact = {giving: new Map<string, number>(), receiving: new Map<string, number>()};
  for (const [zone, {desired}] of allocations) {
    const difference = (hinted.get(zone) ?? 0) - desired;
    if (difference > 0) exact.giving.set(zone, difference);
    else if (difference < 0) exact.receiving.set(zone, -difference);
  }
  const giving: Counts = new Map();
  const receiving: Counts = new Map();
  for (;;) {
    const [giver, toGive] = most(exact.giving);
    const [receiver, toReceive] = most(exact.receiving);
    const isLittle = toGive < 0.5 || toReceive < 0.5 || (toGive < 1 && toReceive < 1);
    if (giver === '' || receiver === '' || isLittle) return {giving, receiving};
    count(giving, giver, 1);
    count(exact.giving, giver, -1);
    count(receiving, receiver, 1);
    count(exact.receiving, receiver, -1);
  }
}

function most(counts: Counts): [zone: string, amount: number] {
  let found: [string, number] = ['', 0];
  for (const [zone, amount] of counts) if (amount > found[1]) found = [zone, amount];
  return found;
}

function redistribute(endpoints: readonly Endpoint[], giving: Counts, receiving: Counts, hinted: Counts): void {
  for (const endpoint of endpoints) {
    if (giving.size === 0 || receiving.size === 0) return;
    if (!isReadyEndpoint(endpoint)) continue;
    const giver = endpoint.zone ?? '';
    const [receiver] = receiving.keys();
    if (!giving.has(giver) || receiver === undefined) continue;
    endpoint.hints = {forZones: [{name: receiver}]};
    for (const [counts, zone] of [
      [giving, giver],
      [receiving, receiver],
    ] as const) {
      count(counts, zone, -1);
      if (counts.get(zone) === 0) counts.delete(zone);
    }
    count(hinted, receiver, 1);
    count(hinted, giver, -1);
  }
}
