import {getHeapStatistics} from 'node:v8';
import {LossLog, type AuditEvent, type Logger} from '../../../sdk/index.js';
import {truncated, type TruncationSettings} from './truncation.js';

const mebi = 1024 * 1024;
/** Maximum bytes of events that wait or are being sent. */
const maximumBytes = Math.min(Math.max(getHeapStatistics().heap_size_limit / 16, 4 * mebi), 64 * mebi);

export interface BatchSettings {
  /** Maximum number of waiting events; further ones are lost. */
  readonly bufferSize: number;
  /** Maximum events per batch. */
  readonly maximumEvents: number;
  /** How long an incomplete batch waits for more events; 0 for not at all. */
  readonly maximumWaitMillis: number;
  /** Batches per second, and how many at once after a pause; undefined for no limit. */
  readonly throttle: {readonly qps: number; readonly burst: number} | undefined;
}

export interface BatchQueueOptions {
  readonly settings: BatchSettings;
  readonly truncation: TruncationSettings | undefined;
  /** Batches sent concurrently; with 1 they arrive in order. */
  readonly concurrency: number;
  /** Rejects if the batch is lost. @param signal fires when the server stops and will not wait any longer */
  readonly send: (events: readonly AuditEvent[], signal: AbortSignal) => Promise<void>;
  readonly logger: Logger;
}

/** Queues events for delivery in batches. The queue is bounded by number and by bytes; events that do not fit are lost. */
export class BatchQueue {
  readonly #options: BatchQueueOptions;
  readonly #abort = new AbortController();
  #waiting: AuditEvent[] = [];
  #bytes = 0;
  #underWay = 0;
  readonly #losses: LossLog;
  #isClosing = false;
  #timer: NodeJS.Timeout | undefined;
  /** When the oldest event was queued. */
  #oldest = 0;
  #tokens: number;
  #filledAt = performance.now();
  #whenIdle: (() => void) | undefined;

  constructor(options: BatchQueueOptions) {
    this.#options = options;
    this.#tokens = options.settings.throttle?.burst ?? 0;
    this.#losses = new LossLog({
      logger: options.logger,
      lost: 'audit events could not be delivered and are lost',
      again: 'audit events arrive again',
    });
  }

  /** Events that were accepted and lost later. */
  get lost(): number {
    return this.#losses.total;
  }

  /** @throws Error if there is no room for the event */
  add(event: AuditEvent): void {
    const {settings, truncation} = this.#options;
    const short = truncated(event, truncation);
    if (this.#waiting.length >= settings.bufferSize) throw new Error(`${settings.bufferSize} events wait already`);
    if (this.#bytes + short.json.length > maximumBytes) throw new Error(`events of ${this.#bytes} bytes wait already`);
    if (this.#waiting.length === 0) this.#oldest = performance.now();
    this.#waiting.push(short);
    this.#bytes += short.json.length;
    this.#look();
  }

  /** Sends all queued events immediately; those not sent when the signal fires are lost. */
  async close(signal: AbortSignal): Promise<void> {
    this.#isClosing = true;
    signal.addEventListener('abort', () => this.#abort.abort(signal.reason), {once: true});
    this.#look();
    if (!this.#isIdle) await new Promise<void>((resolve) => (this.#whenIdle = resolve));
    this.#losses.close();
  }

  get #isIdle(): boolean {
    return this.#waiting.length === 0 && this.#underWay === 0;
  }

  /** Sends the batches that are due. */
  #look(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#waiting.length > 0 && this.#underWay < this.#options.concurrency) {
      const wait = Math.max(this.#waitOfBatch(), this.#waitOfThrottle());
      if (wait > 0) {
        this.#timer = setTimeout(() => this.#look(), Math.ceil(wait));
        return;
      }
      if (this.#tokens >= 1) this.#tokens -= 1;
      void this.#send(this.#take());
    }
  }

  #waitOfBatch(): number {
    const {maximumEvents, maximumWaitMillis} = this.#options.settings;
    if (this.#isClosing || this.#waiting.length >= maximumEvents) return 0;
    return this.#oldest + maximumWaitMillis - performance.now();
  }

  #waitOfThrottle(): number {
    const {throttle} = this.#options.settings;
    if (!throttle || this.#isClosing) return 0;
    const now = performance.now();
    this.#tokens = Math.min(throttle.burst, this.#tokens + ((now - this.#filledAt) / 1000) * throttle.qps);
    this.#filledAt = now;
    return this.#tokens >= 1 ? 0 : ((1 - this.#tokens) / throttle.qps) * 1000;
  }

  /** Removes the oldest events, up to the size of a batch. */
  #take(): AuditEvent[] {
    const {settings, truncation} = this.#options;
    const limit = truncation?.maximumBatchBytes ?? maximumBytes;
    let count = 0;
    let bytes = 0;
    for (const {json} of this.#waiting) {
      if (count === settings.maximumEvents || (count > 0 && bytes + json.length > limit)) break;
      count += 1;
      bytes += json.length;
    }
    const batch = this.#waiting.splice(0, count);
    this.#oldest = performance.now();
    return batch;
  }

  async #send(batch: readonly AuditEvent[]): Promise<void> {
    this.#underWay += 1;
    try {
      await this.#options.send(batch, this.#abort.signal);
      this.#losses.worked();
    } catch (error) {
      this.#losses.lost(error, batch.length);
    }
    this.#underWay -= 1;
    for (const {json} of batch) this.#bytes -= json.length;
    this.#look();
    if (this.#isIdle) this.#whenIdle?.();
  }
}
