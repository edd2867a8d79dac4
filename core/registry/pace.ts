/** Time in milliseconds that a request may work on before others are looked at. Most writes take a fraction of a millisecond. */
const partMillis = 5;

interface Waiting {
  readonly order: number;
  readonly resume: () => void;
}

/** Those that wait to go on, the oldest first. */
const waiting: Waiting[] = [];
let isScheduled = false;
let orders = 0;

/** Resolves in a turn of the event loop that nobody else gets by this function. */
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

/** What a request wants to decide of its pace. */
export interface PaceHooks {
  /** Resolves when work on something large may begin; in a turn of the event loop of its own when missing. */
  readonly begin?: () => Promise<void>;
  /** Called when work goes on. */
  readonly resumed?: () => void;
}

/**
 * How the work of one request is spread over turns of the event loop: whoever works on a large object asks between two parts whether
 * others are to go first. What is small goes on without a pause. Of those that wait the oldest goes on: were all to advance at the same
 * pace, each large write of one object would find it changed by another when it is done.
 */
export class Pace {
  readonly #order = ++orders;
  readonly #hooks: PaceHooks;
  #began = performance.now();

  constructor(hooks: PaceHooks = {}) {
    this.#hooks = hooks;
  }

  /** Waits before work on something large. */
  async begin(): Promise<void> {
    await (this.#hooks.begin?.() ?? ownTurn(this.#order));
    this.#resumed();
  }

  /** Between two parts of the work. Resolves when the next may begin; undefined when that is now. */
  pause(): Promise<void> | undefined {
    return performance.now() - this.#began < partMillis ? undefined : this.#wait();
  }

  async #wait(): Promise<void> {
    await ownTurn(this.#order);
    this.#resumed();
  }

  #resumed(): void {
    this.#began = performance.now();
    this.#hooks.resumed?.();
  }
}
