import type {ExpressionPending} from '../../../sdk/index.js';

/**
 * Processor time of one evaluation, in milliseconds: an evaluation is one turn of the event loop. Steps are charged so that even the most
 * expensive ones of an evaluation take little more than half of it; this is what holds where a step takes longer than it was charged for. It
 * is time of the thread, so that a busy machine makes no difference; a slow one does.
 */
const maximumMillis = 40;
/** The clock is read after this many steps, which take a few hundred microseconds; to read it takes one. */
const stepsBetweenLooks = 10_000;

/** An expression has exceeded its cost limit. */
class CostExceeded extends Error {
  override readonly name = 'CostExceeded';

  constructor() {
    super('cost limit exceeded');
  }
}

/** The count of an evaluation while another one takes place within it. */
interface PausedCount {
  resume(): void;
}

/** A single instance: evaluation throws it repeatedly until it ends. */
const exceeded = new CostExceeded();

/**
 * Counts the cost of an evaluation: one step for each operation, more for operations on large strings and lists, charged before they begin.
 * A step takes up to 30 ns; Kubernetes' cost unit takes about 50, so its limits hold here. `npm run cel-costs` measures it.
 */
class CostMeter {
  #left = 0;
  #limit = 0;
  #nextLook = 0;
  #startedAt = 0;
  #isOvertime = false;
  #pending: ExpressionPending | undefined;

  /** Starts a new count. */
  start(limit: number): void {
    this.#limit = limit;
    this.#left = limit;
    this.#isOvertime = false;
    this.#pending = undefined;
    this.#startedAt = -1;
    this.#nextLook = Math.max(0, limit - stepsBetweenLooks);
  }

  /** Puts the count aside for that of another evaluation within. What that takes counts for itself, and so does its time. */
  pause(): PausedCount {
    const [left, limit, nextLook, startedAt] = [this.#left, this.#limit, this.#nextLook, this.#startedAt];
    const since = startedAt < 0 ? 0 : threadMillis();
    const resume = () => {
      this.#left = left;
      this.#limit = limit;
      this.#nextLook = nextLook;
      this.#startedAt = startedAt < 0 ? startedAt : startedAt + threadMillis() - since;
      this.#isOvertime = false;
      this.#pending = undefined;
    };
    return {resume};
  }

  /** Ends the evaluation: it has to wait for something. Operators such as `||` cannot go on without it. */
  suspend(pending: ExpressionPending): never {
    this.#pending ??= pending;
    this.#left = -1;
    throw exceeded;
  }

  /** What the evaluation has to wait for. */
  get pending(): ExpressionPending | undefined {
    return this.#pending;
  }

  get spent(): number {
    return this.#limit - this.#left;
  }

  get left(): number {
    return this.#left;
  }

  /** Whether the limit was exceeded. Operators such as `||` may have swallowed the exception. */
  get isExceeded(): boolean {
    return this.#left < 0;
  }

  /** Whether what exceeded it was the clock. */
  get isOvertime(): boolean {
    return this.#isOvertime;
  }

  /** @throws CostExceeded on every call once the limit is reached */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < this.#nextLook) this.#look();
  }

  #look(): void {
    if (this.#left < 0) throw exceeded;
    this.#nextLook = Math.max(0, this.#left - stepsBetweenLooks);
    const now = threadMillis();
    // Most evaluations are over before the clock is read at all.
    if (this.#startedAt < 0) this.#startedAt = now;
    if (now - this.#startedAt <= maximumMillis) return;
    this.#isOvertime = true;
    this.#left = -1;
    throw exceeded;
  }
}

/** The meter of the current evaluation. Evaluation is synchronous, so there is only one at a time. */
export const meter = new CostMeter();

function threadMillis(): number {
  const {user, system} = process.threadCpuUsage();
  return (user + system) / 1000;
}
