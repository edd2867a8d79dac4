/** Share of the time that may be spent on sending: after 1 ms of work the next flush starts 4 ms later at the earliest. */
const restPerWork = 4;

/** Collects the changes of a type for its watches. */
export interface ChangeCollector {
  /** The revision of the oldest change that was collected. */
  readonly oldestCollected: number;
  /** Sends what was collected. */
  flush(): void;
}

/**
 * Decides when collected events are sent, for all types together: if each type rested by itself, a later change of one would be shown before an
 * earlier one of another. When idle, at once; under load only so often that sending takes a fraction of the time, so that one write carries
 * many events.
 */
export class FlushTimer {
  readonly #due = new Set<ChangeCollector>();
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;
  #costMillis = 0;
  #endedAt = -Infinity;
  readonly #maximumDelayMillis: number;

  /** @param maximumDelayMillis longest time that an event waits for others */
  constructor(maximumDelayMillis: number) {
    this.#maximumDelayMillis = maximumDelayMillis;
  }

  /** Asks for a flush. Does nothing more when one is due already. */
  request(collector: ChangeCollector): void {
    this.#due.add(collector);
    if (this.#timer || this.#immediate) return;
    const rest = Math.min(this.#maximumDelayMillis, this.#costMillis * restPerWork);
    const delay = this.#endedAt + rest - performance.now();
    if (delay < 1) this.#immediate = setImmediate(this.#run);
    else this.#timer = setTimeout(this.#run, delay);
  }

  /** What a collector has asked for is not wanted any more. */
  cancel(collector: ChangeCollector): void {
    this.#due.delete(collector);
    if (this.#due.size > 0) return;
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
    this.#timer = undefined;
    this.#immediate = undefined;
  }

  readonly #run = () => {
    this.#timer = undefined;
    this.#immediate = undefined;
    const due = [...this.#due].sort((one, other) => one.oldestCollected - other.oldestCollected);
    this.#due.clear();
    const started = performance.now();
    for (const collector of due) collector.flush();
    this.#endedAt = performance.now();
    this.#costMillis = (this.#costMillis + this.#endedAt - started) / 2;
  };
}
