import {DueTimes, type Clock} from '../../../sdk/controllers/index.js';

/** When pods are to be evicted. Pods that have been are remembered until they are gone. */
export class EvictionTimes {
  readonly #waiting = new Map<string, {readonly since: number; readonly dueAt: number}>();
  readonly #evicted = new Set<string>();
  readonly #times: DueTimes;
  readonly #clock: Clock;
  readonly #cancelled: (key: string) => void;
  readonly #due: (key: string) => void;

  /** @param due the time of a pod has come @param cancelled a pod that was to be evicted is not any more */
  constructor(clock: Clock, due: (key: string) => void, cancelled: (key: string) => void) {
    this.#clock = clock;
    this.#cancelled = cancelled;
    this.#due = due;
    this.#times = new DueTimes((key) => this.#evict(key), clock);
  }

  /** A pod may stay for a time, counted from when it was first said. @param millis Infinity: for ever */
  allow(key: string, millis: number): void {
    if (millis === Infinity) return this.cancel(key);
    if (millis === 0) {
      this.#stopWaiting(key);
      this.#evict(key);
      return;
    }
    if (this.#evicted.has(key)) return;
    const now = this.#clock.now();
    const before = this.#waiting.get(key);
    const since = before?.since ?? now;
    // What was begun earlier ends earlier.
    if (before && since + millis < now + millis) return;
    this.#stopWaiting(key);
    this.#waiting.set(key, {since, dueAt: since + millis});
    this.#times.set(key, since + millis);
  }

  /** A pod may stay, or is gone. */
  cancel(key: string): void {
    this.#evicted.delete(key);
    this.#stopWaiting(key);
  }

  /** Nothing is due any more. */
  close(): void {
    this.#times.clear();
  }

  #evict(key: string): void {
    this.#waiting.delete(key);
    if (this.#evicted.has(key)) return;
    this.#evicted.add(key);
    this.#due(key);
  }

  #stopWaiting(key: string): void {
    if (!this.#waiting.delete(key)) return;
    this.#times.set(key, undefined);
    this.#cancelled(key);
  }
}
