import {setImmediate as nextTurn} from 'node:timers/promises';

/** Time in milliseconds that a request may work on before others are looked at. Most writes take a fraction of a millisecond. */
const partMillis = 5;

let last: Promise<void> = Promise.resolve();

/** Resolves in a turn of the event loop that nobody else gets by this function. */
export function turnOfItsOwn(): Promise<void> {
  return (last = last.then(() => nextTurn()));
}

/**
 * How the work of one request is spread over turns of the event loop: whoever works on a large object asks between two parts whether
 * others are to go first. What is small goes on without a pause.
 */
export class Pace {
  #began = performance.now();

  readonly #turn: () => Promise<void>;

  /** @param turn resolves when a part that may take long is to go on: of all such parts one in a turn of the event loop */
  constructor(turn: () => Promise<void> = turnOfItsOwn) {
    this.#turn = turn;
  }

  /** Between two parts of the work. Resolves when the next may begin; undefined when that is now. */
  pause(): Promise<void> | undefined {
    return performance.now() - this.#began < partMillis ? undefined : this.next();
  }

  /** Waits in any case, as behind something that says how much there is to do. */
  async next(): Promise<void> {
    await this.#turn();
    this.#began = performance.now();
  }
}
