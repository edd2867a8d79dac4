import type {Task} from '../../sdk/index.js';
import type {RequestTrace} from '../tracing/request-trace.js';

/** What a request adds to its task. */
export interface RequestTaskOptions {
  /** Decides among requests when a long part begins; undefined while it has no say. */
  readonly turn?: () => Promise<void> | undefined;
  /** Called when work continues. */
  readonly resumed?: () => void;
  /** Is told the steps of the work. */
  readonly trace?: () => RequestTrace | undefined;
}

/** The work for one request: a task whose steps can be traced, and that may wait among requests by their flows. */
export class RequestTask {
  readonly #task: Task;
  readonly #options: RequestTaskOptions;

  constructor(task: Task, options: RequestTaskOptions = {}) {
    this.#task = task;
    this.#options = options;
  }

  /** Undefined if nobody wants to know the steps of the work. */
  get trace(): RequestTrace | undefined {
    return this.#options.trace?.();
  }

  /**
   * As `Task.yieldIfDue`. Small work goes on without a pause.
   *
   * @param step what the work since the last step was
   */
  yieldIfDue(step?: string): Promise<void> | undefined {
    if (step !== undefined) this.trace?.step(step);
    return this.#task.isDue ? this.yield() : undefined;
  }

  /** Waits for a later turn of the event loop, as before work on something large. */
  async yield(): Promise<void> {
    const turn = this.#options.turn?.();
    if (turn) {
      await turn;
      this.#task.begin();
    } else await this.#task.yield();
    this.#options.resumed?.();
  }
}
