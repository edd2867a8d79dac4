import type {Clock} from '../../../sdk/index.js';
import {Heap} from '../../families/queues/heap.js';

interface Entry {
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly order: number;
}

/** Longest sleep, after which an adjusted clock is noticed. */
const longestSleepMillis = 3_600_000;

/** Keys with times at which something is due, for any number of keys with one timer. Those of one time come in the order in which they were set. */
export class Agenda {
  readonly #heap = new Heap<Entry>(
    ({key}) => key,
    (left, right) => left.at < right.at || (left.at === right.at && left.order < right.order),
  );
  readonly #clock: Clock;
  readonly #due: (key: string, at: number) => void;
  #orders = 0;
  #wakesAt = Infinity;
  #callOff: () => void = () => undefined;
  #isClosed = false;

  /** @param due called once for each key when its time has come */
  constructor(clock: Clock, due: (key: string, at: number) => void) {
    this.#clock = clock;
    this.#due = due;
  }

  /** Sets the time of a key in place of its previous one; `undefined` takes it out. */
  set(key: string, at: number | undefined): void {
    if (this.#isClosed) return;
    if (at === undefined) {
      this.#heap.take(key);
      return;
    }
    this.#heap.put({key, at, order: (this.#orders += 1)});
    if (at < this.#wakesAt) this.#sleepUntil(at);
  }

  close(): void {
    this.#isClosed = true;
    this.#callOff();
  }

  #sleepUntil(at: number): void {
    this.#callOff();
    const now = this.#clock.now();
    this.#wakesAt = Math.min(at, now + longestSleepMillis);
    this.#callOff = this.#clock.after(Math.max(this.#wakesAt - now, 0), () => this.#wake());
  }

  #wake(): void {
    this.#wakesAt = Infinity;
    const now = this.#clock.now();
    for (let first = this.#heap.first; first && first.at <= now; first = this.#heap.first) {
      this.#heap.shift();
      this.#due(first.key, first.at);
    }
    const next = this.#heap.first;
    if (next) this.#sleepUntil(next.at);
  }
}
