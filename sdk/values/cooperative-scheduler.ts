import type {Activity, Scheduler, Task, WorkKind} from '../contracts/scheduler.js';
import type {ErrorOrigin} from '../errors/error-origin.js';

/**
 * Milliseconds into a turn of the event loop until which work of a kind continues. All count from the same moment, so that the kinds together take no longer than
 * the largest; a kind whose time is up before it is served still gets one piece of work done.
 *
 * Delivery is short because notified writers send their next request at once; a request that has just arrived waits for the whole turn.
 */
export const turnBudgets: Readonly<Record<WorkKind, number>> = {delivery: 0.06, request: 1, background: 2};

/** In the order in which they are served within a turn. */
const kinds: readonly WorkKind[] = ['delivery', 'request', 'background'];

/** Observes how long the work of tasks takes. */
export interface WorkObserver {
  /** A task's work begins or continues. @param now as `performance.now()` */
  began(task: Task, now: number): void;
  /** A method of a plugin has returned, perhaps a promise. */
  called(hook: ErrorOrigin, millis: number): void;
}

interface Waiting {
  readonly task: CooperativeTask;
  readonly resume: () => void;
}

/** Counts work, and how often some has begun. */
class CountedActivity implements Activity {
  begun = 0;
  underWay = 0;

  begin(): void {
    this.begun += 1;
    this.underWay += 1;
  }

  end(): void {
    this.underWay -= 1;
  }
}

/** The scheduler of one server. */
export class CooperativeScheduler implements Scheduler {
  readonly activity = new CountedActivity();
  readonly #queues: TurnQueues;

  /** @param clock milliseconds that do not go back */
  constructor(clock: () => number = () => performance.now()) {
    this.#queues = new TurnQueues(clock);
  }

  task(kind: WorkKind, name: string): Task {
    return new CooperativeTask(this.#queues, kind, name, undefined);
  }

  /** The same scheduler for a plugin: its work carries the plugin's name. */
  of(plugin: string): Scheduler {
    const queues = this.#queues;
    return {task: (kind, name) => new CooperativeTask(queues, kind, name, plugin), activity: this.activity};
  }

  /** Whether no task waits for its turn, and no work is counted. */
  get isIdle(): boolean {
    return this.activity.underWay === 0 && this.#queues.isEmpty;
  }

  /** A method of a plugin has returned after `millis`. */
  called(hook: ErrorOrigin, millis: number): void {
    this.#queues.observer?.called(hook, millis);
  }

  /** @param observer undefined for none */
  observe(observer: WorkObserver | undefined): void {
    this.#queues.observer = observer;
  }
}

/** A task of the server that a client belongs to. @param client of another process: its work has a scheduler of its own */
export function taskOf({scheduler = new CooperativeScheduler()}: {readonly scheduler?: Scheduler}, kind: WorkKind, name: string): Task {
  return scheduler.task(kind, name);
}

class CooperativeTask implements Task {
  readonly order: number;
  #began: number;
  readonly #queues: TurnQueues;

  constructor(
    queues: TurnQueues,
    readonly kind: WorkKind,
    readonly name: string,
    readonly plugin: string | undefined,
  ) {
    this.#queues = queues;
    this.#began = queues.clock();
    this.order = queues.nextOrder();
  }

  begin(): void {
    const now = this.#queues.clock();
    this.resumed(now, now);
  }

  get isDue(): boolean {
    return this.#queues.clock() - this.#began >= turnBudgets[this.kind];
  }

  yieldIfDue(): Promise<void> | undefined {
    const now = this.#queues.clock();
    if (now - this.#began >= turnBudgets[this.kind]) return this.yield();
    this.#queues.observer?.began(this, now);
    return undefined;
  }

  yield(): Promise<void> {
    return new Promise((resume) => this.#queues.add({task: this, resume}));
  }

  /** @param began from when its time counts */
  resumed(began: number, now: number): void {
    this.#began = began;
    this.#queues.observer?.began(this, now);
  }
}

/** Resumes waiting tasks behind the connections that had something to read. */
class TurnQueues {
  observer: WorkObserver | undefined;
  #orders = 0;
  readonly #waiting: Record<WorkKind, Waiting[]> = {delivery: [], request: [], background: []};
  /** Number of each kind that have waited since before this turn: a task that yields in this turn is resumed in a later one. */
  readonly #ripe: Record<WorkKind, number> = {delivery: 0, request: 0, background: 0};
  #isScheduled = false;
  #began = 0;
  /** The kind that is being served, as its index, and whether it has had nothing yet. */
  #serving = 0;
  #isFirst = true;

  constructor(readonly clock: () => number) {}

  get isEmpty(): boolean {
    return kinds.every((kind) => this.#waiting[kind].length === 0);
  }

  nextOrder(): number {
    return (this.#orders += 1);
  }

  add(waiting: Waiting): void {
    const {kind, order} = waiting.task;
    const queue = this.#waiting[kind];
    let place = queue.length;
    // The oldest request goes first: if all advanced at the same pace, each large write of an object would find it changed by another at the end.
    if (kind === 'request') while (place > 0 && queue[place - 1]!.task.order > order) place -= 1;
    queue.splice(place, 0, waiting);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#begin);
  }

  readonly #begin = (): void => {
    this.#began = this.clock();
    this.#serving = 0;
    this.#isFirst = true;
    for (const kind of kinds) this.#ripe[kind] = this.#waiting[kind].length;
    this.#resumeNext(this.#began);
  };

  #resumeNext(now: number): void {
    for (; this.#serving < kinds.length; this.#serving += 1, this.#isFirst = true) {
      const kind = kinds[this.#serving]!;
      if (this.#ripe[kind] === 0 || (!this.#isFirst && now - this.#began >= turnBudgets[kind])) continue;
      this.#isFirst = false;
      this.#ripe[kind] -= 1;
      const {task, resume} = this.#waiting[kind].shift()!;
      task.resumed(this.#began, now);
      resume();
      // Behind all that the task does at once: promises first, then ticks.
      queueMicrotask(this.#afterwards);
      return;
    }
    this.#isScheduled = kinds.some((kind) => this.#waiting[kind].length > 0);
    if (this.#isScheduled) setImmediate(this.#begin);
  }

  readonly #goOn = (): void => this.#resumeNext(this.clock());
  readonly #afterwards = (): void => process.nextTick(this.#goOn);
}
