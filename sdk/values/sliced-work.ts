import {setImmediate as nextTurn} from 'node:timers/promises';

/** Time in milliseconds after which long work lets others have their turn, and how many steps it makes between looks at the clock. */
const sliceMillis = 5;
const stepsBetweenLooks = 10_000;

/** Thrown where work would take more steps than it may. */
export class WorkExceeded extends Error {
  constructor() {
    super('the work takes more steps than it may');
  }
}

/**
 * Counts the steps of work whose size a client decides: it is done in slices, between which others have their turn, and it ends
 * when it would take too many steps.
 */
export class SlicedWork {
  #left: number;
  #untilLook = stepsBetweenLooks;
  #sliceBegan = performance.now();
  #due = false;

  /** @param maximumSteps of the whole work. A step is some look-ups: tens of nanoseconds */
  constructor(maximumSteps: number) {
    this.#left = maximumSteps;
  }

  /** Whether the slice is over and a `pause` in place. */
  get due(): boolean {
    return this.#due;
  }

  /** Counts steps that are done now. @throws WorkExceeded */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new WorkExceeded();
    this.#untilLook -= steps;
    if (this.#untilLook > 0) return;
    this.#untilLook = stepsBetweenLooks;
    this.#due = performance.now() - this.#sliceBegan > sliceMillis;
  }

  /** Resolves in a later turn of the event loop, with which the next slice begins. */
  async pause(): Promise<void> {
    await nextTurn();
    this.#sliceBegan = performance.now();
    this.#due = false;
  }
}
