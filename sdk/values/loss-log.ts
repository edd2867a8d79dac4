import type {Logger} from '../contracts/logger.js';

/** Between two lines about losses. */
const silenceMillis = 10_000;

export interface LossLogOptions {
  readonly logger: Logger;
  /** What is lost, as a message: `events are lost`. */
  readonly lost: string;
  /** That it no longer is, as a message: `events arrive again`. */
  readonly again: string;
  /** Fields of every line. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/**
 * Logs losses: the first at once, further ones in at most one line per 10 seconds, with their number and the last reason. A line for each would
 * add load under a flood, and hide all other lines.
 */
export class LossLog {
  readonly #options: LossLogOptions;
  #total = 0;
  #unlogged = 0;
  #last: unknown;
  /** Losses have been logged, and their end has not. */
  #isOpen = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LossLogOptions) {
    this.#options = options;
  }

  /** All that was lost so far. */
  get total(): number {
    return this.#total;
  }

  /** @param error why @param count how many at once */
  lost(error: unknown, count = 1): void {
    this.#total += count;
    this.#unlogged += count;
    this.#last = error;
    if (!this.#timer) this.#logLosses();
  }

  /** Something was not lost: logs the end of losses once. */
  worked(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const {logger, again, fields} = this.#options;
    logger.info({...fields, lost: this.#total}, again);
  }

  /** Logs nothing any more. */
  close(): void {
    clearTimeout(this.#timer);
  }

  #logLosses(): void {
    const {logger, lost, fields} = this.#options;
    logger.error({...fields, lost: this.#unlogged, err: this.#last}, lost);
    this.#unlogged = 0;
    this.#last = undefined;
    this.#isOpen = true;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#unlogged > 0) this.#logLosses();
    }, silenceMillis);
    this.#timer.unref();
  }
}
