import {TaintQueue} from './taint-queue.js';
import {evictionRate, zoneState, type ZoneRates, type ZoneState} from './zone-state.js';

/** How many nodes of a zone are ready and not. */
export interface ZoneCount {
  ready: number;
  notReady: number;
}

export interface ZonesOptions {
  readonly rates: ZoneRates;
  readonly now: () => number;
  /** No node is ready any more: what looks like that is rather a fault on the way to them. Pods stay where they are. */
  readonly allSilent: () => void;
  /** The first nodes are ready again. */
  readonly firstBack: () => void;
}

/** The zones of nodes: how they are doing, and how fast their pods may leave. */
export class Zones {
  readonly #options: ZonesOptions;
  readonly #states = new Map<string, ZoneState>();
  readonly #queues = new Map<string, TaintQueue>();

  constructor(options: ZonesOptions) {
    this.#options = options;
  }

  /** The queue of a zone, which is there from the first node on. */
  queue(zone: string): TaintQueue {
    if (!this.#states.has(zone)) this.#states.set(zone, 'initial');
    const known = this.#queues.get(zone);
    if (known) return known;
    const {rates, now} = this.#options;
    const made = new TaintQueue(rates.evictionRate, now);
    this.#queues.set(zone, made);
    return made;
  }

  queues(): Iterable<TaintQueue> {
    return this.#queues.values();
  }

  /** A node is not in any zone's queue any more. */
  remove(name: string): void {
    for (const queue of this.#queues.values()) queue.remove(name);
  }

  /** All nodes have been looked at. */
  counted(counts: ReadonlyMap<string, ZoneCount>): void {
    const {rates, allSilent, firstBack} = this.#options;
    for (const zone of this.#states.keys()) {
      if (counts.has(zone)) continue;
      this.#states.delete(zone);
      this.#queues.delete(zone);
    }
    const next = new Map([...counts].map(([zone, {ready, notReady}]) => [zone, zoneState(ready, notReady, rates)] as const));
    for (const zone of next.keys()) this.queue(zone);
    const areFull = [...next.values()].every((state) => state === 'full');
    const wereFull = [...this.#states.values()].every((state) => state === 'full');
    if (areFull && wereFull) return;
    if (areFull) {
      allSilent();
      for (const zone of this.#states.keys()) this.#set(zone, 'full', 0);
      return;
    }
    if (wereFull) firstBack();
    for (const [zone, state] of next) {
      const {ready, notReady} = counts.get(zone)!;
      if (wereFull || this.#states.get(zone) !== state) this.#set(zone, state, evictionRate(state, ready + notReady, rates));
    }
  }

  #set(zone: string, state: ZoneState, rate: number): void {
    this.#states.set(zone, state);
    this.queue(zone).setRate(rate);
  }
}
