import type {Task} from '../contracts/scheduler.js';

/** Number of steps between checks of the clock. */
const stepsBetweenLooks = 10_000;

/** Thrown if work would take more steps than allowed. */
export class WorkExceeded extends Error {
  constructor() {
    super('the work takes more steps than it may');
  }
}

/** Counts the steps of work whose size clients decide: it yields between them, and is stopped if it takes too many. */
export class SlicedWork {
  #left: number;
  #untilLook = stepsBetweenLooks;
  readonly #task: Pick<Task, 'yieldIfDue'>;

  /** @param maximumSteps of the whole work. A step is a few look-ups: tens of nanoseconds */
  constructor(maximumSteps: number, task: Pick<Task, 'yieldIfDue'>) {
    this.#left = maximumSteps;
    this.#task = task;
  }

  /** Counts steps done now. @throws WorkExceeded */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new WorkExceeded();
    this.#untilLook -= steps;
  }

  /** As `Task.yieldIfDue`; costs nothing until many steps have been done. */
  yieldIfDue(): Promise<void> | undefined {
    if (this.#untilLook > 0) return undefined;
    this.#untilLook = stepsBetweenLooks;
    return this.#task.yieldIfDue();
  }
}
