import type {Task} from '../../sdk/index.js';
import type {RequestTrace} from '../tracing/request-trace.js';

/** Whom the work is for. */
export interface TaskOwner {
  /** Records the steps of the work; undefined where nobody wants to know. */
  readonly trace: RequestTrace | undefined;
  /** Decides among requests when a long part begins; undefined while it has no say. */
  turn(): Promise<void> | undefined;
  /** Called when work continues. */
  working(): void;
}

/** The work for one request: a task whose steps can be traced, and that may wait among requests by their flows. */
export class RequestTask {
  readonly #task: Task;
  readonly #owner: TaskOwner | undefined;

  constructor(task: Task, owner?: TaskOwner) {
    this.#task = task;
    this.#owner = owner;
  }

  /** Undefined if the steps of the work are not traced. */
  get trace(): RequestTrace | undefined {
    return this.#owner?.trace;
  }

  /** Names the work since the last step. */
  step(name: string): void {
    this.#owner?.trace?.step(name);
  }

  /** Whether others should go first. Asked before each wait: to wait for nothing costs a step of a small write as much as the step itself. */
  get isDue(): boolean {
    return this.#task.isDue;
  }

  /** As `Task.yieldIfDue`. */
  yieldIfDue(): Promise<void> | undefined {
    return this.isDue ? this.yield() : undefined;
  }

  /** Waits for a later turn of the event loop, as before work on something large. */
  async yield(): Promise<void> {
    const turn = this.#owner?.turn();
    if (turn) {
      await turn;
      this.#task.begin();
    } else await this.#task.yield();
    this.#owner?.working();
  }
}
