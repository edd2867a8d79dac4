/** Share of the time that may be spent on sending: after 1 ms of work the next flush starts 4 ms later at the earliest. */
const restPerWork = 4;

/**
 * Decides when collected events are sent. When idle, at once; under load only so often that sending
 * takes a fraction of the time, so that one write carries many events.
 */
export class FlushTimer {
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;
  #costMillis = 0;
  #endedAt = -Infinity;
  readonly #flush: () => void;
  readonly #maximumDelayMillis: number;

  /** @param maximumDelayMillis longest time that an event waits for others */
  constructor(flush: () => void, maximumDelayMillis: number) {
    this.#flush = flush;
    this.#maximumDelayMillis = maximumDelayMillis;
  }

  /** Asks for a flush. Does nothing when one is due already. */
  request(): void {
    if (this.#timer || this.#immediate) return;
    const rest = Math.min(this.#maximumDelayMillis, this.#costMillis * restPerWork);
    const delay = this.#endedAt + rest - performance.now();
    if (delay < 1) this.#immediate = setImmediate(this.#run);
    else this.#timer = setTimeout(this.#run, delay);
  }

  cancel(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
    this.#timer = undefined;
    this.#immediate = undefined;
  }

  readonly #run = () => {
    this.#timer = undefined;
    this.#immediate = undefined;
    const started = performance.now();
    this.#flush();
    this.#endedAt = performance.now();
    this.#costMillis = (this.#costMillis + this.#endedAt - started) / 2;
  };
}
