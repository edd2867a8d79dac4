import {setImmediate as nextTurn} from 'node:timers/promises';

/** Milliseconds after which long work yields to others, and the number of steps between checks of the clock. */
const sliceMillis = 5;
const stepsBetweenLooks = 10_000;

/** Thrown if work would take more steps than allowed. */
export class WorkExceeded extends Error {
  constructor() {
    super('the work takes more steps than it may');
  }
}

/**
 * Counts the steps of work whose size clients decide. It is done in slices, between which others get their turn, and it is stopped if it
 * would take too many steps.
 */
export class SlicedWork {
  #left: number;
  #untilLook = stepsBetweenLooks;
  #sliceBegan = performance.now();
  #due = false;

  /** @param maximumSteps of the whole work. A step is a few look-ups: tens of nanoseconds */
  constructor(maximumSteps: number) {
    this.#left = maximumSteps;
  }

  /** Whether the slice is over and `pause` should be called. */
  get due(): boolean {
    return this.#due;
  }

  /** Counts steps done now. @throws WorkExceeded */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new WorkExceeded();
    this.#untilLook -= steps;
    if (this.#untilLook > 0) return;
    this.#untilLook = stepsBetweenLooks;
    this.#due = performance.now() - this.#sliceBegan > sliceMillis;
  }

  /** Resolves in a later turn of the event loop, which starts the next slice. */
  async pause(): Promise<void> {
    await nextTurn();
    this.#sliceBegan = performance.now();
    this.#due = false;
  }
}
