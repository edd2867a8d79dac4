import {Agent} from 'node:http';
import {Agent as HttpsAgent} from 'node:https';
import type {Logger, SpanAttributes} from '../../sdk/index.js';
import {placeOf, sendRequest} from '../../sdk/https/index.js';
import {exportBody, spanCount} from './otlp-json.js';
import type {FinishedTrace, TraceSink} from './tracer.js';

/** Spans since the server was created. */
export interface ExportFigures {
  readonly exported: number;
  /** Dropped because the queue was full. */
  readonly dropped: number;
  /** Not accepted by the collector. */
  readonly failed: number;
}

export interface OtlpExporterOptions {
  /** Where exports are posted to. */
  readonly url: URL;
  /** Attributes of the server. */
  readonly resource: SpanAttributes;
  readonly version: string;
  readonly logger: Logger;
  /** How long spans wait for a full batch, in milliseconds. */
  readonly delayMillis?: number;
  /** Timeout of an export, in milliseconds. */
  readonly timeoutMillis?: number;
  /** Maximum queued spans; further ones are dropped. */
  readonly maximumQueued?: number;
}

/** A trace and its number of spans when it was queued. Spans that end later, such as those of a request that has timed out, are exported too but not counted. */
interface Waiting {
  readonly finished: FinishedTrace;
  readonly spans: number;
}

const batchSpans = 512;
/** Maximum bytes read of a collector's response: only its status is needed. */
const longestAnswer = 64 * 1024;

/**
 * Sends traces to a collector in batches, one at a time: OTLP over HTTP, as JSON. While a collector is slow, hangs or fails, a bounded queue fills and further spans
 * are dropped and counted. Nothing is sent twice.
 */
export class OtlpExporter implements TraceSink {
  readonly #options: OtlpExporterOptions;
  readonly #agent: Agent;
  readonly #delayMillis: number;
  readonly #timeoutMillis: number;
  readonly #maximumQueued: number;
  readonly #queue: Waiting[] = [];
  #queued = 0;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #closed = false;
  #isFailing = false;
  readonly #abort = new AbortController();
  #figures = {exported: 0, dropped: 0, failed: 0};

  constructor(options: OtlpExporterOptions) {
    this.#options = options;
    this.#delayMillis = options.delayMillis ?? 1000;
    this.#timeoutMillis = options.timeoutMillis ?? 10_000;
    this.#maximumQueued = options.maximumQueued ?? 8192;
    const settings = {keepAlive: true, maxSockets: 1};
    this.#agent = options.url.protocol === 'https:' ? new HttpsAgent(settings) : new Agent(settings);
  }

  get figures(): ExportFigures {
    return {...this.#figures};
  }

  add(finished: FinishedTrace): void {
    const spans = spanCount(finished);
    if (this.#closed || this.#queued + spans > this.#maximumQueued) {
      this.#figures.dropped += spans;
      return;
    }
    this.#queue.push({finished, spans});
    this.#queued += spans;
    if (this.#queued >= batchSpans) this.#send();
    else this.#timer ??= setTimeout(() => this.#send(), this.#delayMillis).unref();
  }

  /** Sends the queued spans, as long as the collector accepts them, for at most `graceMillis`. */
  async close(graceMillis = 2000): Promise<void> {
    this.#closed = true;
    const limit = setTimeout(() => this.#abort.abort(), graceMillis).unref();
    this.#send();
    await this.#sending;
    clearTimeout(limit);
    this.#figures.dropped += this.#queued;
    this.#queue.length = this.#queued = 0;
    this.#agent.destroy();
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
      // The rest is not a full batch.
      if (this.#queue.length > 0 && !this.#closed) this.#timer ??= setTimeout(() => this.#send(), this.#delayMillis).unref();
    });
  }

  async #sendAll(): Promise<void> {
    do {
      const [batch, spans] = this.#take();
      if (batch.length === 0) return;
      try {
        await this.#post(exportBody(batch, this.#options.resource, this.#options.version));
        this.#figures.exported += spans;
        this.#answered();
      } catch (error) {
        this.#figures.failed += spans;
        this.#failed(error as Error);
        return;
      }
    } while (this.#queued >= batchSpans || this.#closed);
  }

  #take(): [batch: FinishedTrace[], spans: number] {
    let spans = 0;
    let count = 0;
    while (count < this.#queue.length && spans < batchSpans) spans += this.#queue[count++]!.spans;
    this.#queued -= spans;
    return [this.#queue.splice(0, count).map(({finished}) => finished), spans];
  }

  async #post(body: string): Promise<void> {
    const {url} = this.#options;
    const {head} = await sendRequest({
      protocol: url.protocol === 'https:' ? 'https' : 'http',
      ...placeOf(url.href),
      method: 'POST',
      agent: this.#agent,
      headers: {'content-type': 'application/json'},
      body: Buffer.from(body),
      repeats: false,
      signal: AbortSignal.any([this.#abort.signal, AbortSignal.timeout(this.#timeoutMillis)]),
    });
    let length = 0;
    for await (const chunk of head as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > longestAnswer) break;
    }
    const {statusCode = 0} = head;
    if (statusCode < 200 || statusCode > 299) throw new Error(`the collector answers with status ${statusCode}`);
  }

  /** Logs only the first of successive failures. */
  #failed(error: Error): void {
    if (this.#isFailing || this.#abort.signal.aborted) return;
    this.#isFailing = true;
    this.#options.logger.warn({endpoint: this.#options.url.href, err: error}, 'traces cannot be exported; they are dropped and counted');
  }

  #answered(): void {
    if (!this.#isFailing) return;
    this.#isFailing = false;
    this.#options.logger.info({endpoint: this.#options.url.href}, 'traces are exported again');
  }
}
