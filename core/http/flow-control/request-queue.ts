import {widthOf, type Work} from './work.js';

/** A request's place in a level: waiting in a queue, or taking seats. Times are milliseconds of the level's clock. */
export class Seat {
  readonly width: number;
  /** The queue it waits in or came through; undefined in a level without. */
  queue: RequestQueue | undefined;
  state: 'waiting' | 'serving' | 'lingering' | 'over' = 'waiting';
  startedAt = 0;
  /** The level's progress when it arrived. */
  arrivalProgress = 0;
  next: Seat | undefined;
  previous: Seat | undefined;
  /** Set while somebody waits for the decision: called once with whether the request is to be served. */
  decided: ((admitted: boolean) => void) | undefined;
  timer: NodeJS.Timeout | undefined;
  /** For those who look at what waits; says nothing to the level. */
  label: unknown;

  constructor(
    readonly work: Work,
    readonly arrivedAt: number,
    /** Whose request it is. */
    readonly flow: {seatsInUse: number},
  ) {
    this.width = widthOf(work);
  }
}

/** One of the queues of a level: those who wait, in order of arrival, and what is known of those who came through it and are still served. */
export class RequestQueue {
  waiting = 0;
  /** Of those who wait: their widths, and their estimated work in seat-milliseconds. */
  waitingSeats = 0;
  waitingWork = 0;
  serving = 0;
  seatsInUse = 0;
  /** The level's progress at which the next request begins in a world where all queues are served at once, each at the same pace. */
  nextStart = 0;
  /** When a request last left this queue, counted in requests. */
  lastDispatch = 0;
  #first: Seat | undefined;
  #last: Seat | undefined;

  constructor(readonly index: number) {}

  get first(): Seat | undefined {
    return this.#first;
  }

  /** Whether any request waits or is served. */
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
    // Whole again when it is empty, whatever rounding has left.
    this.waitingWork = this.waiting === 0 ? 0 : this.waitingWork - work;
  }

  /** No request begins before it has arrived: a queue that could not use its seats does not save them up. */
  bound(): void {
    if (this.#first && this.nextStart < this.#first.arrivalProgress) this.nextStart = this.#first.arrivalProgress;
  }

  *[Symbol.iterator](): Iterable<Seat> & Iterator<Seat> {
    for (let seat = this.#first; seat; seat = seat.next) yield seat;
  }
}
