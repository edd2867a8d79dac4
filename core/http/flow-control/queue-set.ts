import {RequestQueue, Seat} from './request-queue.js';
import {SeatDemand} from './seat-demand.js';
import type {Work} from './work.js';

/** How the requests of a level wait. */
export interface Queuing {
  readonly queues: number;
  readonly handSize: number;
  readonly queueLengthLimit: number;
}

/** Whose request it is, as far as queues matter. */
export interface QueuedFlow {
  /** The queues that the flow's requests may wait in. The same flow gets the same ones. */
  hand(queues: number, handSize: number): readonly number[];
  /** Seats that its requests have. Whoever makes the flow sets it to 0, and the level changes it. */
  seatsInUse: number;
}

/** What a request is expected to take, until it is known, in milliseconds. */
const expectedMillis = 3;
/**
 * The part of the seats that requests of several seats leave to those of one. All would be taken by a few long lists otherwise, and a request that takes a
 * fraction of a millisecond would wait until one of them is done.
 */
const narrowShare = 1 / 8;
/** Number of idle queues kept for reuse. */
const idleQueues = 1024;

/** Seats in use and in line, for those who look on. */
export interface QueueSetState {
  readonly seats: number;
  readonly seatsInUse: number;
  readonly serving: number;
  readonly waiting: number;
}

/**
 * The seats of one priority level and the queues before them. Seats go to the queues by fair queuing: as if each queue that has requests were served by
 * an equal share of the seats, and the request went first that would be done first then. A flow is spread over some queues only (shuffle sharding), so one
 * that floods its queues delays few others (enhancement 1040 of Kubernetes, "Fair Queuing for Server Requests"). Beyond that, of those in front the requests of
 * flows that have fewer seats go first: a flow in six queues would have six shares otherwise.
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
  /** Of these, seats of requests that take several. */
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

  /** @param clock milliseconds that do not go back */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;

    this.#progressAt = clock();
    this.demand = new SeatDemand(this.#progressAt);
  }

  /** Sets the number of seats, and how requests wait; without `queuing` those for which there is no seat are refused. */
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

  /** How many queues take memory. */
  get keptQueues(): number {
    return this.#queues.size;
  }

  /** Queues with requests, in order of their numbers. */
  queues(): RequestQueue[] {
    return [...this.#queues.values()].filter((queue) => queue.active).sort((a, b) => a.index - b.index);
  }

  /**
   * A request arrives. Its seat is `serving` when it can be served at once, `waiting` when it has to wait for `decided`, and absent when it is refused.
   * One that is served has to be `finish`ed.
   *
   * @param now what the clock says
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
   * The answer of a request has been sent.
   *
   * @param now what the clock says
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
   * Waits for the decision about a request that `start` has left `waiting`: whether it is to be served.
   *
   * @param millis after that it is refused
   */
  wait(seat: Seat, millis: number): Promise<boolean> {
    return new Promise((resolve) => {
      seat.decided = resolve;
      seat.timer = setTimeout(() => this.cancel(seat), millis);
    });
  }

  /** A request does not wait any longer: it is decided not to be served. */
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
    // It may have been what the next in line had to wait for.
    this.#dispatch();
  }

  /** The emptiest of a flow's queues; of equals the one whose turn it is. */
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

  /** Brings the progress up to now: since the last call things were as they are. */
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
    // What is wider has the level for itself.
    if (width > forWide) return this.#seatsInUse === 0;
    return this.#seatsInUse + width <= limit && this.#wideSeatsInUse + width <= forWide;
  }

  /** Seats that only requests of one seat may take. */
  get #forNarrow(): number {
    return Math.floor(this.#limit * narrowShare);
  }

  #dispatch(): void {
    while (this.#waiting > 0 && this.#seatsInUse < this.#limit) {
      let queue = this.#next();
      if (!queue) return;
      if (!this.#fits(queue.first!.width)) {
        // Nobody overtakes it, or wide requests would wait forever, except on seats that are not for it anyway.
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

  /** The queue whose first request is of the flow with the fewest seats; of equals the one that would be done first, and then the one that was served longest ago. */
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
