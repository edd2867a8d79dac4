import type {PriorityLevelDefinition, PriorityLevelLimit} from '../../../sdk/index.js';
import {QueueSet} from './queue-set.js';
import {TurnLevel} from './turns.js';

/** Decay of past demand per step of ten seconds: half is forgotten in five minutes. */
const smoothing = 0.977;

const noShares = {nominalConcurrencyShares: 0, lendablePercent: 0};

/** A priority level in force. It survives changes of its definition, and its deletion until its last request has ended. */
export class PriorityLevel {
  readonly name: string;
  uid: string | undefined;
  limit: PriorityLevelLimit | undefined;
  exempt: PriorityLevelDefinition['exempt'];
  /** Seats and queues; undefined for an exempt level. */
  readonly queues: QueueSet | undefined;
  readonly turns = new TurnLevel(1);
  /** Whether its definition has been deleted. */
  leaving = false;
  /** Seats by its shares, and the bounds of what it has after lending and borrowing. */
  nominalSeats = 0;
  leastSeats = 0;
  mostSeats = 0;
  #smoothed = 0;

  constructor({name, uid, limited, exempt}: PriorityLevelDefinition, clock?: () => number) {
    this.name = name;
    this.uid = uid;
    this.limit = limited;
    this.exempt = exempt;
    this.queues = limited && new QueueSet(clock);
  }

  /**
   * Computes its seats.
   *
   * @param total seats of the server
   * @param shares of all levels together
   */
  settle(total: number, shares: number): void {
    const {limit} = this;
    const {nominalConcurrencyShares, lendablePercent} = limit ?? this.exempt ?? noShares;
    this.nominalSeats = shares === 0 ? 0 : Math.ceil((total * nominalConcurrencyShares) / shares);
    this.leastSeats = this.nominalSeats - Math.round((this.nominalSeats * lendablePercent) / 100);
    if (!limit) return;
    const {borrowingLimitPercent} = limit;
    this.mostSeats =
      this.nominalSeats + (borrowingLimitPercent === undefined ? total : Math.round((this.nominalSeats * borrowingLimitPercent) / 100));
    // Without shares of its own it still gets its turn for what it borrows.
    this.turns.weight = Math.max(1, nominalConcurrencyShares);
  }

  /**
   * How many seats it needs, by its demand since the last call and, decayed, before.
   *
   * @param now milliseconds of the clock of its queues
   */
  claim(now: number): {target: number; lowest: number; highest: number} {
    const {average, deviation, highest} = this.queues!.demand.take(now);
    const envelope = average + deviation;
    this.#smoothed = Math.max(envelope, smoothing * this.#smoothed + (1 - smoothing) * envelope);
    const lowest = Math.max(this.leastSeats, Math.min(this.nominalSeats, highest));
    return {target: Math.max(lowest, this.#smoothed), lowest, highest: this.mostSeats};
  }
}
