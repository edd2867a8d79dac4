import {RequestQueue, Seat} from './request-queue.js';
import {SeatDemand} from './seat-demand.js';
import type {Work} from './work.js';

/** How the requests of a level wait. */
export interface Queuing {
  readonly queues: number;
  readonly handSize: number;
  readonly queueLengthLimit: number;
}

/** A flow as its queues see it. */
export interface QueuedFlow {
  /** The queues that the flow's requests may wait in. The same flow gets the same ones. */
  hand(queues: number, handSize: number): readonly number[];
  /** Seats that its requests have. Starts at 0; only the level changes it. */
  seatsInUse: number;
}

/** Milliseconds that a request is assumed to take until it has ended. */
const expectedMillis = 3;
/**
 * The share of the seats that requests of several seats leave to those of one. Otherwise a few long lists take all seats, and a request of a fraction of a
 * millisecond waits until one of them is done.
 */
const narrowShare = 1 / 8;
/** Number of idle queues kept for reuse. */
const idleQueues = 1024;

/** Seats in use and in line, for metrics and dumps. */
export interface QueueSetState {
  readonly seats: number;
  readonly seatsInUse: number;
  readonly serving: number;
  readonly waiting: number;
}

/**
 * The seats of one priority level and the queues before them. Seats go to the queues by fair queuing: next is the request that would finish first if every
 * queue with requests had an equal share of the seats. A flow uses only some of the queues (shuffle sharding), so one that floods its queues delays few
 * others (Kubernetes enhancement 1040, "Fair Queuing for Server Requests"). In addition, the flow with the fewest seats in use goes first: otherwise a flow
 * in six queues has six shares.
 *
 * Progress is measured in seat-milliseconds that each active queue has been given.
 */
export class QueueSet {
  readonly demand: SeatDemand;
  #limit = 0;
  #queuing: Queuing | undefined;
  readonly #queues = new Map<number, RequestQueue>();
  readonly #backlogged = new Set<RequestQueue>();
  #progress = 0;
  #progressAt: number;
  #seatsInUse = 0;
  /** Of these, seats of requests of several seats. */
  #wideSeatsInUse = 0;
  /** Seats in use of requests that came through queues. */
  #queuedSeatsInUse = 0;
  #waitingSeats = 0;
  #waiting = 0;
  #serving = 0;
  #lingering = 0;
  #activeQueues = 0;
  #arrivals = 0;
  #dispatches = 0;

  readonly #clock: () => number;

  /** @param clock monotonic, in milliseconds */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;

    this.#progressAt = clock();
    this.demand = new SeatDemand(this.#progressAt);
  }

  /** Sets the number of seats, and how requests wait; without `queuing` a request is rejected if there is no seat. */
  configure(seats: number, queuing: Queuing | undefined): void {
    this.#advance(this.#clock());
    this.#limit = seats;
    this.#queuing = queuing;
    this.#dispatch();
  }

  /** Whether requests wait when there is no seat. */
  get queued(): boolean {
    return this.#queuing !== undefined;
  }

  get idle(): boolean {
    return this.#waiting === 0 && this.#serving === 0 && this.#lingering === 0;
  }

  get state(): QueueSetState {
    return {seats: this.#limit, seatsInUse: this.#seatsInUse, serving: this.#serving, waiting: this.#waiting};
  }

  /** Number of queues in memory. */
  get keptQueues(): number {
    return this.#queues.size;
  }

  /** Queues with requests, by number. */
  queues(): RequestQueue[] {
    return [...this.#queues.values()].filter((queue) => queue.active).sort((a, b) => a.index - b.index);
  }

  /**
   * Admits an arriving request. Its seat is `serving` if it can be served at once, `waiting` if it must `wait`; undefined if it is rejected.
   * Every served request must be `finish`ed.
   *
   * @param now time of the clock
   */
  start(flow: QueuedFlow, work: Work, now: number): Seat | undefined {
    this.#advance(now);
    const seat = new Seat(work, now, flow);
    const queuing = this.#queuing;
    if (!queuing) {
      if (!this.#fits(seat.width)) return undefined;
      this.#serve(seat, now);
      return seat;
    }
    const queue = this.#choose(flow.hand(queuing.queues, queuing.handSize));
    if (this.#seatsInUse >= this.#limit && queue.waiting >= queuing.queueLengthLimit) return undefined;
    seat.queue = queue;
    seat.arrivalProgress = this.#progress;
    if (!queue.active) {
      queue.nextStart = this.#progress;
      this.#activeQueues += 1;
    }
    if (this.#waiting === 0 && this.#fits(seat.width)) {
      this.#serve(seat, now);
      return seat;
    }
    queue.push(seat, expectedWork(work));
    queue.bound();
    this.#backlogged.add(queue);
    this.#waiting += 1;
    this.#waitingSeats += seat.width;
    this.#noteDemand(now);
    this.#dispatch();
    return seat;
  }

  /**
   * Ends a request whose response has been sent.
   *
   * @param now time of the clock
   */
  finish(seat: Seat, now: number): void {
    if (seat.state !== 'serving') return;
    this.#advance(now);
    const {queue, work} = seat;
    this.#serving -= 1;
    if (queue) {
      queue.serving -= 1;
      if (!queue.active) this.#activeQueues -= 1;
      queue.nextStart -= work.seats * (expectedMillis - (now - seat.startedAt));
      queue.bound();
    }
    if (work.finalMillis > 0) {
      seat.state = 'lingering';
      this.#lingering += 1;
      setTimeout(() => {
        this.#lingering -= 1;
        this.#advance(this.#clock());
        this.#release(seat);
      }, work.finalMillis).unref();
      return;
    }
    this.#release(seat);
  }

  /**
   * Waits for a `waiting` request; resolves with whether it may be served.
   *
   * @param millis maximum wait, after which it is rejected
   */
  wait(seat: Seat, millis: number): Promise<boolean> {
    return new Promise((resolve) => {
      seat.decided = resolve;
      seat.timer = setTimeout(() => this.cancel(seat), millis);
    });
  }

  /** Rejects a waiting request. */
  cancel(seat: Seat): void {
    if (seat.state !== 'waiting') return;
    const now = this.#clock();
    this.#advance(now);
    const queue = seat.queue!;
    this.#leaveQueue(seat);
    seat.state = 'over';
    if (queue.active) queue.bound();
    else this.#activeQueues -= 1;
    this.#noteDemand(now);
    this.#dropIfIdle(queue);
    this.#decide(seat, false);
    // The next in line may have waited behind it.
    this.#dispatch();
  }

  /** The emptiest of a flow's queues; equally empty ones take turns. */
  #choose(hand: readonly number[]): RequestQueue {
    const offset = this.#arrivals++ % hand.length;
    let best: RequestQueue | undefined;
    for (let step = 0; step < hand.length; step += 1) {
      const index = hand[(offset + step) % hand.length]!;
      const queue = this.#queues.get(index) ?? this.#addQueue(index);
      if (queue.waitingWork === 0) return queue;
      if (!best || queue.waitingWork < best.waitingWork) best = queue;
    }
    return best!;
  }

  #addQueue(index: number): RequestQueue {
    const queue = new RequestQueue(index);
    this.#queues.set(index, queue);
    return queue;
  }

  /** Brings the progress up to now: nothing has changed since the last call. */
  #advance(now: number): void {
    if (this.#activeQueues > 0) {
      const seats = Math.min(this.#queuedSeatsInUse + this.#waitingSeats, this.#limit);
      this.#progress += (seats / this.#activeQueues) * (now - this.#progressAt);
    }
    this.#progressAt = now;
  }

  #fits(width: number): boolean {
    const limit = this.#limit;
    if (width === 1) return this.#seatsInUse < limit;
    const forWide = limit - this.#forNarrow;
    // A wider request runs alone.
    if (width > forWide) return this.#seatsInUse === 0;
    return this.#seatsInUse + width <= limit && this.#wideSeatsInUse + width <= forWide;
  }

  /** Seats reserved for requests of one seat. */
  get #forNarrow(): number {
    return Math.floor(this.#limit * narrowShare);
  }

  #dispatch(): void {
    while (this.#waiting > 0 && this.#seatsInUse < this.#limit) {
      let queue = this.#next();
      if (!queue) return;
      if (!this.#fits(queue.first!.width)) {
        // No request overtakes it, or wide requests would starve; only the seats reserved for narrow ones are still given out.
        if (this.#seatsInUse - this.#wideSeatsInUse >= this.#forNarrow) return;
        queue = this.#next(true);
        if (!queue) return;
      }
      const seat = queue.first!;
      this.#leaveQueue(seat);
      this.#serve(seat, this.#clock());
      queue.bound();
      this.#decide(seat, true);
    }
  }

  /** The queue whose first request is of the flow with the fewest seats; then the one that would finish first, then the one served longest ago. */
  #next(narrowOnly = false): RequestQueue | undefined {
    let best: RequestQueue | undefined;
    let bestSeats = Infinity;
    let bestEnd = Infinity;
    for (const queue of this.#backlogged) {
      const {width, work, flow} = queue.first!;
      if (narrowOnly && width > 1) continue;
      const {seatsInUse} = flow;
      if (seatsInUse > bestSeats) continue;
      const end = queue.nextStart + expectedWork(work);
      if (seatsInUse < bestSeats || end < bestEnd || (end === bestEnd && queue.lastDispatch < best!.lastDispatch)) {
        best = queue;
        bestSeats = seatsInUse;
        bestEnd = end;
      }
    }
    return best;
  }

  #serve(seat: Seat, now: number): void {
    const {queue} = seat;
    seat.state = 'serving';
    seat.startedAt = now;
    this.#serving += 1;
    this.#seatsInUse += seat.width;
    seat.flow.seatsInUse += seat.width;
    if (seat.width > 1) this.#wideSeatsInUse += seat.width;
    if (queue) {
      queue.serving += 1;
      queue.seatsInUse += seat.width;
      queue.nextStart += expectedWork(seat.work);
      queue.lastDispatch = ++this.#dispatches;
      this.#queuedSeatsInUse += seat.width;
    }
    this.#noteDemand(now);
  }

  #leaveQueue(seat: Seat): void {
    const queue = seat.queue!;
    queue.remove(seat, expectedWork(seat.work));
    if (queue.waiting === 0) this.#backlogged.delete(queue);
    this.#waiting -= 1;
    this.#waitingSeats -= seat.width;
  }

  #release(seat: Seat): void {
    seat.state = 'over';
    this.#seatsInUse -= seat.width;
    seat.flow.seatsInUse -= seat.width;
    if (seat.width > 1) this.#wideSeatsInUse -= seat.width;
    const {queue} = seat;
    if (queue) {
      queue.seatsInUse -= seat.width;
      this.#queuedSeatsInUse -= seat.width;
      this.#dropIfIdle(queue);
    }
    this.#noteDemand(this.#progressAt);
    this.#dispatch();
  }

  #dropIfIdle(queue: RequestQueue): void {
    if (this.#queues.size > idleQueues && !queue.active && queue.seatsInUse === 0) this.#queues.delete(queue.index);
  }

  #noteDemand(now: number): void {
    this.demand.set(this.#seatsInUse + this.#waitingSeats, now);
  }

  #decide(seat: Seat, admitted: boolean): void {
    clearTimeout(seat.timer);
    seat.timer = undefined;
    const {decided} = seat;
    seat.decided = undefined;
    decided?.(admitted);
  }
}

/** Seat-milliseconds. */
function expectedWork({seats, finalSeats, finalMillis}: Work): number {
  return seats * expectedMillis + finalSeats * finalMillis;
}
