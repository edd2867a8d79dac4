import {join, parse, resolve} from 'node:path';
import {
  auditSink,
  inject,
  Tokens,
  type AuditEvent,
  type AuditSink,
  type Logger,
  type NamingProfile,
  type ServerEndpoint,
} from '../../../sdk/index.js';
import {BatchQueue} from '../../families/audit-sinks/batch-queue.js';
import {batchSettings, eventVersion, truncationSettings, type SinkMode} from '../../families/audit-sinks/sink-settings.js';
import {truncated, type TruncationSettings} from '../../families/audit-sinks/truncation.js';
import {LineWriter, standardOutput, type LineOutput} from './line-writer.js';
import {RotatingFile} from './rotating-file.js';

const defaultMegabytes = 100;
/** Batches passed to the writer at the same time. It writes them in order, and waiting ones together. */
const concurrentBatches = 1_000;
/** Maximum milliseconds for writing the remaining events when the server stops. */
const drainMillis = 5_000;

/** Writes events as lines to a file (docs/operations/audit.md). */
@auditSink()
export class AuditLogFile implements AuditSink {
  readonly enabled: boolean;
  readonly strict: boolean;
  readonly #output: LineOutput | undefined;
  readonly #writer: LineWriter | undefined;
  readonly #queue: BatchQueue | undefined;
  readonly #truncation: TruncationSettings | undefined;
  readonly #toLine: (event: AuditEvent) => Buffer;

  /** @throws Error with a one-sentence message for an invalid setting */
  constructor(
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Endpoint) endpoint: ServerEndpoint,
  ) {
    eventVersion(config, '--audit-log-version', naming);
    const path = config['path'] as string | undefined;
    const mode = config['mode'] as SinkMode;
    this.enabled = path !== undefined && path !== '';
    this.strict = mode === 'blocking-strict';
    this.#truncation = truncationSettings(config);
    this.#toLine = config['format'] === 'legacy' ? legacyLine : ({json}) => json;
    if (!this.enabled) return;
    this.#output =
      path === '-'
        ? standardOutput
        : new RotatingFile({
            path: ownPath(resolve(path!), endpoint.process),
            maximumBytes: ((config['maxSize'] as number) || defaultMegabytes) * 1024 * 1024,
            maximumBackups: config['maxBackup'] as number,
            maximumDays: config['maxAge'] as number,
            compress: config['compress'] as boolean,
            logger,
          });
    const writer = new LineWriter(this.#output);
    this.#writer = writer;
    if (mode !== 'batch') return;
    this.#queue = new BatchQueue({
      settings: batchSettings(config, 'audit-log'),
      truncation: this.#truncation,
      concurrency: concurrentBatches,
      send: async (events) => {
        await Promise.all(events.map((event) => writer.write(this.#toLine(event))));
      },
      logger,
    });
  }

  get lost(): number {
    return this.#queue?.lost ?? 0;
  }

  /** Rejects if the file cannot be opened. */
  async start(): Promise<void> {
    await this.#output?.open();
  }

  write(event: AuditEvent): void | Promise<void> {
    if (this.#queue) return this.#queue.add(event);
    return this.#writer?.write(this.#toLine(truncated(event, this.#truncation)));
  }

  async close(): Promise<void> {
    await this.#queue?.close(AbortSignal.timeout(drainMillis));
    await this.#writer?.idle();
    await this.#output?.close();
  }
}

/** A file has one writer: of several processes of a server, each has its own, as `audit-worker2.log`. */
function ownPath(path: string, process: number | undefined): string {
  if (process === undefined) return path;
  const {dir, name, ext} = parse(path);
  return join(dir, `${name}-worker${process}${ext}`);
}

/** An event as a line of text, in Kubernetes' format `legacy`: without bodies. */
function legacyLine(event: AuditEvent): Buffer {
  const {user, impersonatedUser, objectRef, responseStatus} = event;
  const quoted = (value: string) => JSON.stringify(value);
  const groupsText = (groups: readonly string[]) => quoted(groups.map(quoted).join(','));
  const members = {
    id: quoted(event.auditID),
    stage: quoted(event.stage),
    ip: quoted(event.sourceIPs[0] ?? '<unknown>'),
    method: quoted(event.verb),
    user: quoted(user?.username ?? '<none>'),
    groups: user && user.groups.length > 0 ? groupsText(user.groups) : quoted('<none>'),
    as: quoted(impersonatedUser?.username ?? '<self>'),
    asgroups: impersonatedUser ? groupsText(impersonatedUser.groups) : quoted('<lookup>'),
    'user-agent': quoted(event.userAgent),
    namespace: quoted(objectRef?.namespace ?? '<none>'),
    uri: quoted(event.requestURI),
    response: `"${responseStatus?.code ?? '<deferred>'}"`,
  };
  const text = Object.entries(members).map(([name, value]) => `${name}=${value}`);
  return Buffer.from(`${event.requestReceivedTimestamp} AUDIT: ${text.join(' ')}`);
}
