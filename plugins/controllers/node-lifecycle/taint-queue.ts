import {TokenBucket} from '../../../sdk/controllers/index.js';

/** The nodes of a zone that wait for the taint by which their pods leave: few at a time, so that a fault of the network does not empty a cluster. */
export class TaintQueue {
  readonly #now: () => number;
  /** Nodes that wait, in order. */
  readonly #waiting = new Set<string>();
  /** Nodes that wait or have had their turn. */
  readonly #known = new Set<string>();
  #rate: number;
  #bucket: TokenBucket | undefined;

  /** @param rate nodes per second @param now in milliseconds */
  constructor(rate: number, now: () => number) {
    this.#now = now;
    this.#rate = rate;
    this.#bucket = rate > 0 ? new TokenBucket(rate, 1, now) : undefined;
  }

  /** Another rate; 0 stops. */
  setRate(rate: number): void {
    if (rate === this.#rate) return;
    const isDrained = this.#bucket === undefined || this.#bucket.take() > 0;
    this.#rate = rate;
    this.#bucket = rate > 0 ? new TokenBucket(rate, 1, this.#now) : undefined;
    if (isDrained) this.#bucket?.take();
  }

  /** A node waits, unless it does already or has had its turn. */
  add(name: string): void {
    if (this.#known.has(name)) return;
    this.#known.add(name);
    this.#waiting.add(name);
  }

  /** A node does not wait, and may be added again. */
  remove(name: string): void {
    this.#known.delete(name);
    this.#waiting.delete(name);
  }

  /** The node whose turn it is; else in how many milliseconds there may be one, Infinity if none waits or none may. */
  next(): {readonly name: string} | {readonly again: number} {
    const [name] = this.#waiting;
    if (name === undefined || !this.#bucket) return {again: Infinity};
    const again = this.#bucket.take();
    if (again > 0) return {again};
    this.#waiting.delete(name);
    return {name};
  }
}
