import {setImmediate as nextTurn} from 'node:timers/promises';

/** Milliseconds for which expressions may be evaluated before others get their turn. */
const partMillis = 5;

/** Spreads evaluations over turns of the event loop: each is short, but there may be many about one request. */
export class Turns {
  #began = performance.now();

  /** Called between two evaluations. Resolves when the next may begin; undefined if it may begin now. */
  pause(): Promise<void> | undefined {
    if (performance.now() - this.#began < partMillis) return undefined;
    return nextTurn().then(() => {
      this.#began = performance.now();
    });
  }
}
