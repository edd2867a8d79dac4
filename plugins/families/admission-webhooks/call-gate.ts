/** Maximum concurrent calls of one webhook, and calls that wait for their turn. */
const callsAtOnce = 64;
const waitingCalls = 64;

/** Too many calls of a webhook are waiting already. */
export class GateFull extends Error {
  override readonly name = 'GateFull';

  constructor() {
    super(`${callsAtOnce} calls are under way and ${waitingCalls} are waiting`);
  }
}

/** Limits the calls of one webhook, so that one that does not answer delays a bounded number of requests. */
export class CallGate {
  #underWay = 0;
  readonly #waiting = new Set<() => void>();

  /**
   * Does the work when its turn comes.
   *
   * @param signal stops the wait
   * @throws GateFull immediately if too many calls are waiting; the signal's reason; errors of the work
   */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#underWay >= callsAtOnce) await this.#turn(signal);
    else this.#underWay += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.values().next().value;
      // The slot passes to the call that has waited longest.
      if (next) next();
      else this.#underWay -= 1;
    }
  }

  #turn(signal: AbortSignal): Promise<void> {
    if (this.#waiting.size >= waitingCalls) throw new GateFull();
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const done = (settle: () => void) => {
        this.#waiting.delete(go);
        signal.removeEventListener('abort', giveUp);
        settle();
      };
      const go = () => done(resolve);
      const giveUp = () => done(() => reject(signal.reason as Error));
      this.#waiting.add(go);
      signal.addEventListener('abort', giveUp, {once: true});
    });
  }
}
