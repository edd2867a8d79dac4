import type {Clock} from '../contracts/clock.js';
import {systemClock} from '../values/system-clock.js';

/** Longest sleep, after which an adjusted clock or a suspended machine is noticed. */
const longestSleepMillis = 3_600_000;
/** Names that are due within this time of each other are reported together. */
const shortestSleepMillis = 10;

/** Names with a time at which they are due. Sleeps until the first one is due, and not at all if there is none. */
export class DueTimes {
  readonly #times = new Map<string, number>();
  #wakesAt = Infinity;
  #callOff: () => void = () => undefined;
  readonly #isDue: (name: string) => void;
  readonly #clock: Clock;

  /** @param isDue called once for each name when its time has come; the name is then removed */
  constructor(isDue: (name: string) => void, clock: Clock = systemClock) {
    this.#isDue = isDue;
    this.#clock = clock;
  }

  /** Sets the time of a name, in milliseconds since 1970, in place of its previous one; `undefined` removes the name. */
  set(name: string, time: number | undefined): void {
    if (time === undefined) {
      this.#times.delete(name);
      return;
    }
    this.#times.set(name, time);
    if (time < this.#wakesAt) this.#sleepUntil(time);
  }

  /** Removes all names. */
  clear(): void {
    this.#times.clear();
    this.#callOff();
    this.#wakesAt = Infinity;
  }

  #sleepUntil(time: number): void {
    this.#callOff();
    const now = this.#clock.now();
    this.#wakesAt = Math.min(time, now + longestSleepMillis);
    this.#callOff = this.#clock.after(Math.max(this.#wakesAt - now, shortestSleepMillis), () => this.#wake());
  }

  #wake(): void {
    this.#wakesAt = Infinity;
    const now = this.#clock.now();
    let next = Infinity;
    const due: string[] = [];
    for (const [name, time] of this.#times) {
      if (time <= now) due.push(name);
      else if (time < next) next = time;
    }
    for (const name of due) this.#times.delete(name);
    if (next < Infinity) this.#sleepUntil(next);
    for (const name of due) this.#isDue(name);
  }
}
