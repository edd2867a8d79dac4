import type {Clock} from '../contracts/clock.js';
import type {Scheduler, Task} from '../contracts/scheduler.js';
import type {Metrics} from '../contracts/metrics.js';
import {Backoff, type BackoffOptions} from '../values/backoff.js';
import {CooperativeScheduler} from '../values/cooperative-scheduler.js';
import {systemClock} from '../values/system-clock.js';
import {TransientMap} from '../values/transient-map.js';
import {QueueFigures} from './queue-figures.js';
import {TokenBucket} from './token-bucket.js';

/** Result of work on a name: done, or to be repeated after some milliseconds (0 or more). */
export type WorkResult = {readonly done: true} | {readonly again: number};

export const done: WorkResult = {done: true};

export interface WorkQueueOptions {
  readonly concurrency: number;
  /** Clock of pauses and the rate: `Tokens.Clock`, which tests move, or `clock` of a `ResourceClient`. The system's by default. */
  readonly clock?: Clock | undefined;
  /** That of the server: `Tokens.Scheduler`, or `scheduler` of a `ResourceClient`. By default a new one. */
  readonly scheduler?: Scheduler | undefined;
  /** Work that threw; it is tried again, each time after a longer pause. */
  onError(name: string, error: unknown): void;
  /** Pauses after failures, for each name: from 50 ms to 10 s by default. */
  readonly retries?: BackoffOptions;
  /** Names that may be begun per second, and at once after a quiet time (`perSecond` by default); unlimited by default. */
  readonly rate?: {readonly perSecond: number; readonly burst?: number};
  /** Where the queue is counted (`workqueue_*`), and under which name; nowhere by default. */
  readonly figures?: {readonly metrics: Metrics; readonly name: string};
}

/** Waits after failures, for each name, unless the options say otherwise. */
const defaultRetries = {initialMillis: 50, maximumMillis: 10_000};
/** Work that is repeated after such a pause is not at rest meanwhile. */
const momentMillis = 50;

interface Entry {
  state: 'queued' | 'working' | 'waiting';
  /** Was added again during its work, which must be repeated. */
  again: boolean;
  /** When it was queued, by `performance.now()`. */
  queuedAt: number;
  /** Whether it counts as work that is left: it waits for its turn, is being worked on, or is tried again in a moment. */
  isCounted: boolean;
  /** When the work on it began that is under way, by `performance.now()`. */
  begunAt: number | undefined;
  /** That work. */
  job: Promise<void> | undefined;
  /** Since its last success; undefined while nothing has failed. */
  backoff?: Backoff;
  /** Calls off the end of its pause. */
  callOff?: () => void;
}

/** Works through names: each at most once at a time, several names concurrently, with growing pauses after failures. */
export class WorkQueue {
  readonly #entries = new TransientMap<string, Entry>();
  /** Names that wait for their turn, in order; those before `#next` have had it. */
  #ready: string[] = [];
  #next = 0;
  /** The next work begins in a later turn of the event loop. */
  #isYielding = false;
  readonly #task: Task;
  /** How many names are being worked on. */
  #active = 0;
  #closed = false;
  readonly #figures: QueueFigures | undefined;
  readonly #pacer: TokenBucket | undefined;
  #callOffRate: (() => void) | undefined;
  readonly #clock: Clock;
  readonly #work: (name: string) => Promise<WorkResult>;
  readonly #options: WorkQueueOptions;

  constructor(work: (name: string) => Promise<WorkResult>, options: WorkQueueOptions) {
    this.#work = work;
    this.#options = options;
    const clock = options.clock ?? systemClock;
    this.#clock = clock;
    this.#task = (options.scheduler ?? new CooperativeScheduler()).task('background', options.figures?.name ?? 'work queue');
    this.#pacer = options.rate && new TokenBucket(options.rate.perSecond, options.rate.burst ?? options.rate.perSecond, () => clock.now());
    this.#figures = options.figures && new QueueFigures(options.figures.metrics, options.figures.name, () => this.#begun());
  }

  /** How many names wait for their turn now. */
  get waiting(): number {
    return this.#ready.length - this.#next;
  }

  /** Adds a name. One that waits for its next try is worked on now; one that is being worked on is done once more. */
  add(name: string): void {
    if (this.#closed) return;
    const entry = this.#entries.get(name);
    if (entry === undefined) {
      const added: Entry = {state: 'queued', again: false, queuedAt: 0, isCounted: false, begunAt: undefined, job: undefined};
      this.#entries.set(name, added);
      this.#enqueue(name, added);
    } else if (entry.state === 'working') {
      entry.again = true;
    } else if (entry.state === 'waiting') {
      this.#wake(name, entry);
    }
  }

  /** Drops waiting names; resolves when the work in progress has ended. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#callOffRate?.();
    const entries = [...this.#entries.values()];
    for (const entry of entries) {
      entry.callOff?.();
      this.#count(entry, false);
    }
    this.#entries.clear();
    this.#figures?.depth.add(-this.waiting);
    this.#ready = [];
    this.#next = 0;
    await Promise.all(entries.map(({job}) => job).filter((job) => job !== undefined));
  }

  #run(): void {
    while (!this.#closed && this.#active < this.#options.concurrency && this.#hasTurn() && this.#mayBegin()) {
      const name = this.#take();
      if (name === undefined) return;
      const entry = this.#entries.get(name)!;
      this.#figures?.depth.add(-1);
      this.#figures?.waited.observe((performance.now() - entry.queuedAt) / 1000);
      entry.state = 'working';
      this.#active += 1;
      const job = this.#process(name, entry).finally(() => {
        this.#active -= 1;
        // It may have been begun again meanwhile.
        if (entry.job === job) entry.job = undefined;
        this.#run();
      });
      entry.job = job;
    }
  }

  /**
   * Work that never waits, because it only reads memory, would otherwise process all names in one turn of the event loop: after some time it continues
   * in the next.
   */
  #hasTurn(): boolean {
    if (this.waiting === 0 || this.#isYielding) return false;
    const turn = this.#task.yieldIfDue();
    if (!turn) return true;
    this.#isYielding = true;
    void turn.then(() => {
      this.#isYielding = false;
      this.#run();
    });
    return false;
  }

  /** Whether the rate lets one more begin; if not, looks again when it does. */
  #mayBegin(): boolean {
    const wait = this.#pacer?.take() ?? 0;
    if (wait === 0) return true;
    this.#callOffRate ??= this.#clock.after(wait, () => {
      this.#callOffRate = undefined;
      this.#run();
    });
    return false;
  }

  /** Takes as long with many names as with few: `shift` moves all that follow. */
  #take(): string | undefined {
    const name = this.#ready[this.#next];
    if (name === undefined) return undefined;
    this.#next += 1;
    if (this.#next === this.#ready.length || this.#next > 1000) {
      this.#ready = this.#ready.slice(this.#next);
      this.#next = 0;
    }
    return name;
  }

  async #process(name: string, entry: Entry): Promise<void> {
    let pause: number | undefined;
    const began = performance.now();
    entry.begunAt = began;
    try {
      const result = checkedResult(await this.#work(name));
      delete entry.backoff;
      if ('again' in result) pause = result.again;
    } catch (error) {
      if (!this.#closed) this.#options.onError(name, error);
      this.#figures?.retries.add();
      pause = (entry.backoff ??= new Backoff({...defaultRetries, ...this.#options.retries})).next();
    } finally {
      entry.begunAt = undefined;
      this.#figures?.worked.observe((performance.now() - began) / 1000);
    }
    if (this.#closed) return this.#count(entry, false);
    if (entry.again) {
      entry.again = false;
      // New information does not shorten the pause after a failure.
      pause = entry.backoff ? pause : 0;
    }
    if (pause !== undefined) return this.#wait(name, entry, pause);
    this.#entries.delete(name);
    this.#count(entry, false);
  }

  #begun(): number[] {
    const begun: number[] = [];
    for (const {begunAt} of this.#entries.values()) if (begunAt !== undefined) begun.push(begunAt);
    return begun;
  }

  #count(entry: Entry, isCounted: boolean): void {
    const {activity} = this.#options.scheduler ?? {};
    if (!activity || entry.isCounted === isCounted) return;
    entry.isCounted = isCounted;
    if (isCounted) activity.begin();
    else activity.end();
  }

  #wait(name: string, entry: Entry, pause: number): void {
    entry.state = 'waiting';
    this.#count(entry, pause <= momentMillis);
    // Immediate work must not wait for a clock that tests move.
    entry.callOff = (pause > 0 ? this.#clock : systemClock).after(pause, () => this.#wake(name, entry));
  }

  #wake(name: string, entry: Entry): void {
    entry.callOff?.();
    delete entry.callOff;
    entry.state = 'queued';
    this.#enqueue(name, entry);
  }

  #enqueue(name: string, entry: Entry): void {
    entry.queuedAt = performance.now();
    this.#count(entry, true);
    this.#ready.push(name);
    this.#figures?.adds.add();
    this.#figures?.depth.add(1);
    this.#run();
  }
}

/** @throws TypeError for an invalid result, RangeError for an invalid delay */
function checkedResult(result: WorkResult | undefined): WorkResult {
  if (typeof result !== 'object' || result === null || !('again' in result || 'done' in result))
    throw new TypeError('the work on a key must end with {done: true} or {again: MILLISECONDS}');
  if ('again' in result && !(result.again >= 0 && result.again < Infinity))
    throw new RangeError(`the work on a key ended with {again: ${String(result.again)}}, which is no number of milliseconds from 0`);
  return result;
}
