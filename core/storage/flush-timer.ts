import type {Scheduler, Task} from '../../sdk/index.js';

/** Share of the time that may be spent on sending: after 1 ms of work the next flush starts 4 ms later at the earliest. */
const restPerWork = 4;

/** Collects the changes of a type for its watches. */
export interface ChangeCollector {
  /** The revision of the oldest change that was collected. */
  readonly oldestCollected: number;
  /** Sends the collected events. */
  flush(): void;
}

/**
 * Decides when collected events are sent, for all types together: with a timer per type, a later change of one type could be sent before an earlier one
 * of another. When idle they are sent at once; under load seldom enough that sending takes only a fraction of the time, so that one write carries many
 * events.
 */
export class FlushTimer {
  #due = new Set<ChangeCollector>();
  #timer: NodeJS.Timeout | undefined;
  /** It is the task's turn soon. */
  #isNext = false;
  #costMillis = 0;
  #endedAt = -Infinity;
  readonly #maximumDelayMillis: number;
  readonly #task: Task;

  /** @param maximumDelayMillis maximum time that an event waits for further ones */
  constructor(maximumDelayMillis: number, scheduler: Scheduler) {
    this.#maximumDelayMillis = maximumDelayMillis;
    this.#task = scheduler.task('delivery', 'watch events');
  }

  /** Asks for a flush. Does nothing more when one is due already. */
  request(collector: ChangeCollector): void {
    this.#due.add(collector);
    if (this.#timer || this.#isNext) return;
    const rest = Math.min(this.#maximumDelayMillis, this.#costMillis * restPerWork);
    const delay = this.#endedAt + rest - performance.now();
    if (delay >= 1) {
      this.#timer = setTimeout(this.#run, delay);
      return;
    }
    this.#isNext = true;
    void this.#task.yield().then(this.#run);
  }

  /** Cancels the request of a collector. */
  cancel(collector: ChangeCollector): void {
    this.#due.delete(collector);
    if (this.#due.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  readonly #run = () => {
    this.#timer = undefined;
    this.#isNext = false;
    if (this.#due.size === 0) return;
    this.#task.begin();
    const due = [...this.#due].sort((one, other) => one.oldestCollected - other.oldestCollected);
    // A set that is cleared lets V8 keep what was in it (`TransientMap`).
    this.#due = new Set();
    const started = performance.now();
    for (const collector of due) collector.flush();
    // Connections send only now what they were given: most of the work.
    process.nextTick(() => {
      this.#endedAt = performance.now();
      this.#costMillis = (this.#costMillis + this.#endedAt - started) / 2;
    });
  };
}
