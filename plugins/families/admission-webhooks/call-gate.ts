/** Calls of one webhook that are under way at once, and those that wait for their turn. */
const callsAtOnce = 64;
const waitingCalls = 64;

/** There are so many calls of a webhook that another one cannot even wait. */
export class GateFull extends Error {
  override readonly name = 'GateFull';

  constructor() {
    super(`${callsAtOnce} calls are under way and ${waitingCalls} are waiting`);
  }
}

/** Bounds the calls of one webhook, so that one that does not answer holds up a bounded number of requests. */
export class CallGate {
  #underWay = 0;
  readonly #waiting = new Set<() => void>();

  /**
   * Does the work when it is its turn.
   *
   * @param signal gives up waiting
   * @throws GateFull at once when too many are waiting; the signal's reason; what the work throws
   */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#underWay >= callsAtOnce) await this.#turn(signal);
    else this.#underWay += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.values().next().value;
      // The place goes on to the one that has waited longest.
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
