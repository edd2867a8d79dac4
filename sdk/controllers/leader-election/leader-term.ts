import {serviceUnavailable} from '../../errors/builders.js';

/**
 * The time for which a holder leads. It ends when the lease was not renewed in time, even if the process was paused: it finds the term
 * ended.
 */
export class LeaderTerm {
  readonly #ending = new AbortController();
  /** On the monotonic clock, and on the wall clock, which continues while the machine sleeps: the earlier one ends the term. */
  #until = {monotonic: Infinity, wall: Infinity};

  #ridden: LeaderTerm | undefined;

  /** @param holder who leads */
  constructor(readonly holder: string) {}

  /** Fires when the term is known to have ended. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Whether the lease is certainly held. */
  get isValid(): boolean {
    return (
      !this.signal.aborted && performance.now() < this.#until.monotonic && Date.now() < this.#until.wall && this.#ridden?.isValid !== false
    );
  }

  /** @throws StatusError 503 unless the term is valid */
  check(): void {
    if (!this.isValid) throw serviceUnavailable(`nothing was written: ${this.holder} no longer leads`, 1);
  }

  /** @param from moment before the request that renewed the lease was sent @param milliseconds for which it is certain from then on */
  extend(from: Moment, milliseconds: number): void {
    this.#until = {monotonic: from.monotonic + milliseconds, wall: from.wall + milliseconds};
  }

  /** It is valid no longer than another term. @returns whether it rode on none before */
  rideOn(ridden: LeaderTerm): boolean {
    const isNew = this.#ridden === undefined;
    this.#ridden = ridden;
    return isNew;
  }

  end(reason: string): void {
    this.#ending.abort(new Error(reason));
  }
}

/** A point in time by both clocks. */
export interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

export function moment(): Moment {
  return {monotonic: performance.now(), wall: Date.now()};
}
