import type {HeldHistory, HistoryBudget} from './history-budget.js';
import type {WindowEvent} from './window-event.js';

export interface WindowBounds {
  /** Age in milliseconds beyond which events are dropped. */
  readonly historyMillis: number;
  /** Maximum events, whatever their age. */
  readonly maximumEvents: number;
  /** Maximum bytes of objects in events, whatever their age. */
  readonly maximumEventBytes: number;
}

/** Memory of an event in addition to the bytes of its object. */
const eventOverhead = 200;

/** The changes of the last minutes, oldest first: watches resume from them, and older states are rebuilt from them. */
export class EventWindow implements HeldHistory {
  #events: WindowEvent[] = [];
  #first = 0;
  #heldBytes = 0;
  #budget: HistoryBudget | undefined;

  #lowest: number;
  readonly #bounds: WindowBounds;

  /** @param floor the window is complete for revisions above this one */
  constructor(lowest: number, bounds: WindowBounds) {
    this.#lowest = lowest;
    this.#bounds = bounds;
  }

  /** The window is complete for revisions above this one. */
  get floor(): number {
    return this.#lowest;
  }

  get size(): number {
    return this.#events.length - this.#first;
  }

  get bytes(): number {
    return this.#heldBytes;
  }

  /** Counts its bytes in the budget of all types from now on. */
  join(budget: HistoryBudget): void {
    this.#budget = budget;
    budget.join(this);
  }

  /** It is used no more. */
  leave(): void {
    this.#budget?.leave(this);
    this.#budget = undefined;
  }

  /** Appends an event newer than all others. */
  push(event: WindowEvent): void {
    this.#events.push(event);
    this.#hold(cost(event));
    while (this.size > this.#bounds.maximumEvents || (this.#heldBytes > this.#bounds.maximumEventBytes && this.size > 1)) this.#dropFirst();
  }

  dropOldest(): boolean {
    if (this.size <= 1) return false;
    this.#dropFirst();
    return true;
  }

  /** Drops events that are too old at `now` (milliseconds since 1970). */
  trim(now: number): void {
    const oldest = now - this.#bounds.historyMillis;
    while (this.size > 0 && this.#events[this.#first]!.time < oldest) this.#dropFirst();
    if (this.#first > 1024 || (this.size === 0 && this.#first > 0)) {
      this.#events = this.#events.slice(this.#first);
      this.#first = 0;
    }
  }

  /** Events with a revision above `revision`, oldest first; at most `limit`. `revision` must not be below the floor. */
  after(revision: number, limit = Infinity): WindowEvent[] {
    const start = this.#indexAfter(revision);
    return this.#events.slice(start, start + limit);
  }

  /**
   * The revisions from `from` to before `to` around `revision` within which nothing changed. `from` does not go below
   * the floor; `to` is infinite after the last event. `revision` must not be below the floor.
   */
  unchangedAround(revision: number): {from: number; to: number} {
    const next = this.#indexAfter(revision);
    return {
      from: next > this.#first ? this.#events[next - 1]!.revision : this.#lowest,
      to: this.#events[next]?.revision ?? Infinity,
    };
  }

  /** Calls `visit` for events with revisions in (`after`, `upTo`], newest first. */
  backwards(after: number, upTo: number, visit: (event: WindowEvent) => void): void {
    for (let index = this.#indexAfter(upTo) - 1; index >= this.#first; index--) {
      const event = this.#events[index]!;
      if (event.revision <= after) return;
      visit(event);
    }
  }

  #dropFirst(): void {
    const event = this.#events[this.#first]!;
    // The slot is released at once: the array itself is cut only now and then.
    this.#events[this.#first++] = released;
    this.#hold(-cost(event));
    this.#lowest = Math.max(this.#lowest, event.revision);
    if (this.#first > 4096 && this.#first * 2 > this.#events.length) {
      this.#events = this.#events.slice(this.#first);
      this.#first = 0;
    }
  }

  #hold(bytes: number): void {
    this.#heldBytes += bytes;
    this.#budget?.changed(bytes);
  }

  /** Index of the first event above a revision. */
  #indexAfter(revision: number): number {
    let low = this.#first;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#events[middle]!.revision > revision) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

const released: WindowEvent = {revision: 0, time: 0, key: '', object: undefined, previous: undefined};

function cost(event: WindowEvent): number {
  return eventOverhead + (event.object ?? event.previous)!.size;
}
