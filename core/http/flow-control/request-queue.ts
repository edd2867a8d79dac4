import {widthOf, type Work} from './work.js';

/** A request's place in a level: waiting in a queue, or taking seats. Times are milliseconds of the level's clock. */
export class Seat {
  readonly width: number;
  /** The queue it waits in or came through; undefined in a level without. */
  queue: RequestQueue | undefined;
  state: 'waiting' | 'serving' | 'lingering' | 'over' = 'waiting';
  startedAt = 0;
  /** Progress of the level at arrival. */
  arrivalProgress = 0;
  next: Seat | undefined;
  previous: Seat | undefined;
  /** Set while the request waits: called once with whether it may be served. */
  decided: ((admitted: boolean) => void) | undefined;
  timer: NodeJS.Timeout | undefined;
  /** For dumps; the level does not use it. */
  label: unknown;

  constructor(
    readonly work: Work,
    readonly arrivedAt: number,
    /** The flow of the request. */
    readonly flow: {seatsInUse: number},
  ) {
    this.width = widthOf(work);
  }
}

/** One queue of a level: the waiting requests in order of arrival, and totals of those that came through it and are still being served. */
export class RequestQueue {
  waiting = 0;
  /** Total width of the waiting requests, and their estimated work in seat-milliseconds. */
  waitingSeats = 0;
  waitingWork = 0;
  serving = 0;
  seatsInUse = 0;
  /** Virtual start of the next request: the progress of the level at which it would begin if all queues were served at once, at the same rate. */
  nextStart = 0;
  /** Number of the last request dispatched from this queue, in the order of the level. */
  lastDispatch = 0;
  #first: Seat | undefined;
  #last: Seat | undefined;

  constructor(readonly index: number) {}

  get first(): Seat | undefined {
    return this.#first;
  }

  /** Whether a request of it waits or is being served. */
  get active(): boolean {
    return this.waiting > 0 || this.serving > 0;
  }

  push(seat: Seat, work: number): void {
    seat.previous = this.#last;
    if (this.#last) this.#last.next = seat;
    else this.#first = seat;
    this.#last = seat;
    this.waiting += 1;
    this.waitingSeats += seat.width;
    this.waitingWork += work;
  }

  remove(seat: Seat, work: number): void {
    if (seat.previous) seat.previous.next = seat.next;
    else this.#first = seat.next;
    if (seat.next) seat.next.previous = seat.previous;
    else this.#last = seat.previous;
    seat.next = seat.previous = undefined;
    this.waiting -= 1;
    this.waitingSeats -= seat.width;
    // Exactly 0 when empty, despite rounding.
    this.waitingWork = this.waiting === 0 ? 0 : this.waitingWork - work;
  }

  /** No request begins before its arrival: an idle queue does not save up seats. */
  bound(): void {
    if (this.#first && this.nextStart < this.#first.arrivalProgress) this.nextStart = this.#first.arrivalProgress;
  }

  *[Symbol.iterator](): Iterable<Seat> & Iterator<Seat> {
    for (let seat = this.#first; seat; seat = seat.next) yield seat;
  }
}
