import {resolve} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {auditSink, inject, Tokens, type AuditEvent, type AuditSink, type Logger, type NamingProfile} from '../../../sdk/index.js';
import {BatchQueue} from '../../families/audit-sinks/batch-queue.js';
import {batchSettings, eventVersion, millis, truncationSettings, type SinkMode} from '../../families/audit-sinks/sink-settings.js';
import {truncated, type TruncationSettings} from '../../families/audit-sinks/truncation.js';
import {RemoteReviewer} from '../../families/remote-service/remote-reviewer.js';

/** Attempts per batch, and the factor by which each delay grows. */
const tries = 5;
const pauseFactor = 1.5;
/** Batches sent concurrently. */
const concurrentBatches = 4;
/** Concurrent requests to the service in blocking modes. */
const connections = 64;
/** Maximum milliseconds for sending the remaining events when the server stops. */
const drainMillis = 5_000;

/** Sends events as an `EventList` to the service in a client configuration file (docs/operations/audit.md). */
@auditSink()
export class AuditWebhook implements AuditSink {
  readonly enabled: boolean;
  readonly strict: boolean;
  readonly #file: string;
  readonly #listHead: string;
  readonly #backoffMillis: number;
  readonly #timeoutMillis: number;
  readonly #truncation: TruncationSettings | undefined;
  readonly #queue: BatchQueue | undefined;
  readonly #stopping = new AbortController();
  #opened: Promise<RemoteReviewer> | undefined;

  /** @throws Error with a one-sentence message for an invalid setting */
  constructor(
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Logger) logger: Logger,
  ) {
    const file = config['configFile'] as string | undefined;
    const mode = config['mode'] as SinkMode;
    this.enabled = file !== undefined && file !== '';
    this.strict = mode === 'blocking-strict';
    this.#file = resolve(file ?? '');
    this.#listHead = JSON.stringify({
      kind: 'EventList',
      apiVersion: eventVersion(config, '--audit-webhook-version', naming),
      metadata: {},
    }).slice(0, -1);
    this.#backoffMillis = millis(config, 'initialBackoff', '--audit-webhook-initial-backoff');
    this.#timeoutMillis = millis(config, 'timeout', 'timeout of audit-webhook');
    this.#truncation = truncationSettings(config);
    if (!this.enabled || mode !== 'batch') return;
    this.#queue = new BatchQueue({
      settings: batchSettings(config, 'audit-webhook'),
      truncation: this.#truncation,
      concurrency: concurrentBatches,
      send: (events, signal) => this.#send(events, signal),
      logger,
    });
  }

  get lost(): number {
    return this.#queue?.lost ?? 0;
  }

  /** Rejects if the configuration file cannot be used. */
  async start(): Promise<void> {
    if (this.enabled) await this.#reviewer();
  }

  write(event: AuditEvent): void | Promise<void> {
    if (this.#queue) return this.#queue.add(event);
    return this.#send([truncated(event, this.#truncation)], this.#stopping.signal);
  }

  async close(): Promise<void> {
    const limit = AbortSignal.timeout(drainMillis);
    limit.addEventListener('abort', () => this.#stopping.abort(limit.reason), {once: true});
    await this.#queue?.close(limit);
    this.#stopping.abort();
    (await this.#opened?.catch(() => undefined))?.close();
  }

  #reviewer(): Promise<RemoteReviewer> {
    return (this.#opened ??= RemoteReviewer.open(this.#file, connections));
  }

  /** The service may recover soon after any failure, so a batch is retried several times. */
  async #send(events: readonly AuditEvent[], signal: AbortSignal): Promise<void> {
    const reviewer = await this.#reviewer();
    const body = this.#listOf(events);
    let pause = this.#backoffMillis;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await reviewer.deliver(body, AbortSignal.any([signal, AbortSignal.timeout(this.#timeoutMillis)]));
      } catch (error) {
        if (attempt === tries || signal.aborted) throw error;
        await delay(pause * (1 + Math.random() / 5), undefined, {signal});
        pause *= pauseFactor;
      }
    }
  }

  #listOf(events: readonly AuditEvent[]): Buffer {
    const parts: Buffer[] = [Buffer.from(`${this.#listHead},"items":[`)];
    for (const [index, {json}] of events.entries()) parts.push(...(index === 0 ? [] : [comma]), json);
    return Buffer.concat([...parts, listEnd]);
  }
}

const comma = Buffer.from(',');
const listEnd = Buffer.from(']}');
