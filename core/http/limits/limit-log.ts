import type {Logger} from '../../../sdk/index.js';

/** Minimum interval between log lines for one kind of event. */
const pauseMillis = 10_000;

interface Tally {
  /** Since the process began. */
  total: number;
  /** Events since the last log line. */
  unlogged: number;
  /** The latest event that was not logged. */
  latest: object;
  timer: NodeJS.Timeout | undefined;
}

/** Logs when a limit takes effect: the first time at once, then at most every ten seconds with a count. The totals are for metrics. */
export class LimitLog {
  readonly #tallies = new Map<string, Tally>();

  readonly #logger: Logger;
  readonly #pause: number;

  constructor(logger: Logger, pause = pauseMillis) {
    this.#logger = logger;
    this.#pause = pause;
  }

  /**
   * @param limit the setting that took effect: `maxConnections`
   * @param what what was done: `refused a connection`
   * @param details of this event, such as an address or a user
   */
  acted(limit: string, what: string, details: object): void {
    let tally = this.#tallies.get(limit);
    if (!tally) this.#tallies.set(limit, (tally = {total: 0, unlogged: 0, latest: details, timer: undefined}));
    tally.total += 1;
    if (tally.timer) {
      tally.unlogged += 1;
      tally.latest = details;
      return;
    }
    this.#logger.warn({limit, ...details}, `a limit acted: ${what}`);
    this.#rest(limit, what, tally);
  }

  /** How often each limit has taken effect, by name. */
  totals(): ReadonlyMap<string, number> {
    return new Map([...this.#tallies].map(([limit, {total}]) => [limit, total]));
  }

  #rest(limit: string, what: string, tally: Tally): void {
    tally.timer = setTimeout(() => {
      tally.timer = undefined;
      if (tally.unlogged === 0) return;
      this.#logger.warn({limit, times: tally.unlogged, latest: tally.latest}, `a limit acted: ${what}`);
      tally.unlogged = 0;
      this.#rest(limit, what, tally);
    }, this.#pause).unref();
  }
}
