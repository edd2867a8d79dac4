import {signal} from '@preact/signals';
import {followLog, isRunning, type LogSource} from './pod-log.js';
import {Refusal} from './request.js';

/** Lines that the page keeps. */
const mostLines = 5000;
/** What comes is shown together, at most so often. */
const showMillis = 150;
/** Pauses before a log whose connection ended is read again: longer each time, unless it was followed for longer than the longest. */
const pauses = {first: 300, most: 10_000};

export type LogState = 'live' | 'reconnecting' | 'complete' | 'refused';

/** The last lines of a log as it grows. What breaks while the container runs is taken up again; a refusal is shown, and nothing is asked again. */
export class LiveLog {
  readonly lines = signal<readonly string[]>([]);
  readonly state = signal<LogState>('live');
  readonly error = signal<unknown>(undefined);
  readonly #source: LogSource;
  readonly #abort = new AbortController();
  #text = '';
  #show: ReturnType<typeof setTimeout> | undefined;

  constructor(source: LogSource) {
    this.#source = source;
  }

  start(): void {
    void this.#run();
  }

  stop(): void {
    this.#abort.abort();
    clearTimeout(this.#show);
  }

  async #run(): Promise<void> {
    let pause = pauses.first;
    while (!this.#abort.signal.aborted) {
      const began = performance.now();
      try {
        await this.#follow();
        if (!(await this.#goesOn())) {
          this.state.value = 'complete';
          return;
        }
      } catch (error) {
        if (this.#abort.signal.aborted) return;
        // A connection that broke says nothing of the log.
        if (error instanceof Refusal && !error.isPassing) {
          this.error.value = error;
          this.state.value = 'refused';
          return;
        }
      }
      this.state.value = 'reconnecting';
      if (performance.now() - began > pauses.most) pause = pauses.first;
      await new Promise((over) => setTimeout(over, pause));
      pause = Math.min(pause * 2, pauses.most);
    }
  }

  #follow(): Promise<void> {
    return followLog(this.#source, this.#abort.signal, {
      opened: () => {
        // The last lines come again.
        this.#text = '';
        this.state.value = 'live';
      },
      take: (piece) => {
        this.#text += piece;
        this.#show ??= setTimeout(() => {
          this.#show = undefined;
          const all = this.#text.split('\n').slice(-mostLines);
          this.#text = all.join('\n');
          this.lines.value = all;
        }, showMillis);
      },
    });
  }

  /** Whoever may read the log need not be allowed to read the pod: then it is over when it ends. */
  async #goesOn(): Promise<boolean> {
    if (this.#source.previous) return false;
    try {
      return await isRunning(this.#source, this.#abort.signal);
    } catch (error) {
      if (error instanceof Refusal && !error.isPassing) return false;
      throw error;
    }
  }
}
