import type {RequestTrace} from '../tracing/request-trace.js';

/** Milliseconds for which a request may run before others get their turn. Most writes take a fraction of a millisecond. */
const partMillis = 1;

interface Waiting {
  readonly order: number;
  readonly resume: () => void;
}

/** Requests waiting to continue, oldest first. */
const waiting: Waiting[] = [];
let isScheduled = false;
let orders = 0;

/** Resolves in a turn of the event loop that this function gives to no other caller. */
function ownTurn(order: number): Promise<void> {
  return new Promise((resume) => {
    let place = waiting.length;
    while (place > 0 && waiting[place - 1]!.order > order) place -= 1;
    waiting.splice(place, 0, {order, resume});
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(resumeOldest);
  });
}

function resumeOldest(): void {
  waiting.shift()!.resume();
  isScheduled = waiting.length > 0;
  if (isScheduled) setImmediate(resumeOldest);
}

/** What a request may decide about its pace. */
export interface PaceHooks {
  /** Resolves when a part of the work may begin. Without it, each begins in its own turn of the event loop, oldest request first. */
  readonly turn?: () => Promise<void>;
  /** Called when work continues. */
  readonly resumed?: () => void;
  /** Is told the steps of the work. */
  readonly trace?: RequestTrace | undefined;
}

/**
 * Spreads the work of one request over turns of the event loop. Code that works on a large object asks between two parts whether others
 * should go first; small work continues without a pause. Of the waiting requests, the oldest continues: if all advanced at the same pace,
 * each large write of an object would find it changed by another write at the end.
 */
export class Pace {
  readonly #order = ++orders;
  readonly #hooks: PaceHooks;
  #began = performance.now();

  constructor(hooks: PaceHooks = {}) {
    this.#hooks = hooks;
  }

  /** Waits for a turn, as before work on something large. */
  async begin(): Promise<void> {
    await (this.#hooks.turn?.() ?? ownTurn(this.#order));
    this.#hooks.resumed?.();
    this.#began = performance.now();
  }

  /** Undefined if nobody wants to know the steps of the work. */
  get trace(): RequestTrace | undefined {
    return this.#hooks.trace;
  }

  /**
   * Called between two parts of the work. Resolves when the next may begin; undefined if it may begin now.
   *
   * @param step what the work since the last step was
   */
  pause(step?: string): Promise<void> | undefined {
    const now = performance.now();
    if (step !== undefined) this.#hooks.trace?.step(step, now);
    return now - this.#began < partMillis ? undefined : this.begin();
  }
}
