import {AsyncResource} from 'node:async_hooks';
import type {Clock} from '../../sdk/index.js';

/** Timers take no more; longer ones are set again. */
const longestTimerMillis = 2 ** 31 - 1;
/** Calls of one move: a call that is due again and again would never end it. */
const maximumCalls = 10_000;

interface Waiting {
  readonly at: number;
  readonly call: () => void;
  timer: NodeJS.Timeout | undefined;
}

/** The system's clock, put forward by a test. What becomes due on the way is called in its order, at its time. */
export class MovableClock implements Clock {
  #ahead = 0;
  readonly #waiting = new Set<Waiting>();

  now(): number {
    return Date.now() + this.#ahead;
  }

  /** By how many milliseconds it is ahead of the system's. */
  get ahead(): number {
    return this.#ahead;
  }

  /** When the next call is due; undefined without any. */
  get nextCall(): number | undefined {
    return this.#first()?.at;
  }

  after(milliseconds: number, call: () => void): () => void {
    // Whoever moves the clock is not the one in whose name it is called.
    const entry: Waiting = {at: this.now() + milliseconds, call: AsyncResource.bind(call), timer: undefined};
    this.#waiting.add(entry);
    this.#wait(entry);
    return () => this.#forget(entry);
  }

  /** Puts the clock forward. */
  advance(milliseconds: number): void {
    const until = this.now() + milliseconds;
    for (let calls = 0; calls < maximumCalls; calls += 1) {
      const first = this.#first();
      if (!first || first.at > until) break;
      this.#ahead += Math.max(0, first.at - this.now());
      this.#call(first);
    }
    this.#ahead += Math.max(0, until - this.now());
    for (const entry of this.#waiting) this.#wait(entry);
  }

  #first(): Waiting | undefined {
    let first: Waiting | undefined;
    for (const entry of this.#waiting) if (!first || entry.at < first.at) first = entry;
    return first;
  }

  #wait(entry: Waiting): void {
    clearTimeout(entry.timer);
    const left = Math.min(Math.max(entry.at - this.now(), 0), longestTimerMillis);
    entry.timer = setTimeout(() => (entry.at <= this.now() + 1 ? this.#call(entry) : this.#wait(entry)), left).unref();
  }

  #call(entry: Waiting): void {
    this.#forget(entry);
    entry.call();
  }

  #forget(entry: Waiting): void {
    clearTimeout(entry.timer);
    this.#waiting.delete(entry);
  }
}
