import type {IncomingMessage, ServerResponse} from 'node:http';
import type {Socket} from 'node:net';
import type {TLSSocket} from 'node:tls';
import type {AggregatedVersion, AnnotationLevel, Scheduler, UserInfo} from '../../../sdk/index.js';
import type {CborCodec} from '../../api/cbor/cbor-codec.js';
import {HeldMemory} from '../limits/held-memory.js';
import type {HttpLimits, LimitName} from '../limits/http-limits.js';
import type {MemoryBudget} from '../limits/memory-budget.js';
import {detachResponse} from '../node/upgrade-response.js';
import type {RequestInfo} from './request-info.js';
import type {ReportNotes} from './report-notes.js';
import {Annotations} from '../../registry/audit/annotations.js';
import type {AuditRecord} from '../../registry/audit/audit-record.js';
import {RequestTask} from '../../registry/request-task.js';
import type {Resource} from '../../registry/resource.js';
import type {RequestTrace} from '../../tracing/request-trace.js';

/** Longest text of one warning that is cut, and of all together (docs/semantics/answers.md#warnings). */
const warningLimit = 256;
const warningsLimit = 4096;

/** A connection that its client wants to upgrade to another protocol. */
export interface Upgrade {
  readonly socket: Socket;
  /** Bytes that were received after the request. */
  readonly head: Buffer;
}

/** What a request knows about its connection. */
export interface Carrier {
  readonly limits: HttpLimits;
  readonly scheduler: Scheduler;
  /** Memory of unsent responses. */
  readonly answers: MemoryBudget;
  /** Memory of requests' bodies. */
  readonly bodies: MemoryBudget;
  /** The client has authenticated. */
  identified(): void;
  /** The caller is nobody, or cannot show who it is. */
  unidentified(): void;
  /** Closes at once what carries the request, even if data is unsent: its connection, or its stream of HTTP/2. */
  cut(): void;
  /**
   * Nothing is read behind this request: with HTTP/1.1 its connection ends with its answer, while streams of HTTP/2 know no order.
   *
   * @param lingers whether the client may still be sending
   */
  endsWith(exchange: Exchange, lingers: boolean): void;
  /** Adds to the unsent bytes of responses on this connection, or stream; may be negative. */
  unsentChanged(bytes: number): void;
  /** Work for a request continues; the event loop's watchdog names it if that takes long. Returns the time, as `performance.now()`. */
  working(exchange: Exchange): number;
  /** Logs that a limit took effect. */
  acted(limit: LimitName, what: string, details: object): void;
}

/** A body that is being received. */
export interface IncomingBody {
  /** When that began, as `performance.now()`. */
  readonly since: number;
  readonly received: number;
  /** Gives it up. */
  refuse(error: Error): void;
}

/** The turns of the requests of a flow among others: of one flow those that have waited since the earliest time go first. */
export interface RequestTurns {
  /** For a short part of the work: if others should go first, it continues once the promise resolves. */
  giveWay(since: number): Promise<void> | undefined;
  /** Before a long part of the work: only one such part begins per turn of the event loop. */
  wait(since: number): Promise<void>;
}

/** What is to be called when the response has finished, and then what was added later. */
interface AtFinish {
  readonly callback: () => void;
  next: AtFinish | undefined;
}

const noHeaders: readonly string[] = [];
const absoluteForm = /^https?:\/\/[^/?]*/i;

/** One request on its way through the filters, with what they have found out about it. */
export class Exchange {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly startedAt = performance.now();
  /** As the filters find it out; `stages.ts` says after which of them what is there. */
  info: RequestInfo | undefined;
  /** Who answers instead of this server's own types. */
  aggregated: AggregatedVersion | undefined;
  /** Whether the plugin that serves the path says that its answers last. */
  isLasting = false;
  /** Whether that plugin says that everybody may ask for it. */
  isPublic = false;
  /** What the path names, if this server has it. */
  resource: Resource | undefined;
  user: UserInfo | undefined;
  /** The real user of an impersonated request, whose `user` is the impersonated one. */
  impersonator: UserInfo | undefined;
  /** What reads and writes CBOR; undefined where the server does not speak it. */
  cbor: CborCodec | undefined;
  /** Undefined if the request is not audited. */
  audit: AuditRecord | undefined;
  /** What its report will say; undefined where nobody wants one. */
  notes: ReportNotes | undefined;
  /** The steps of the work and their times; undefined if nobody wants to know. */
  trace: RequestTrace | undefined;
  readonly warnings: string[] = [];
  /** Total time that the request may take, in milliseconds, if limited. */
  timeLimitMillis: number | undefined;
  /** Headers that name the flow schema and priority level of the request: alternating names and values. */
  flowHeaders: readonly string[] = noHeaders;
  /** Schedules the parts of the work that can wait; undefined if the request is exempt from priority and fairness. */
  turns: RequestTurns | undefined;
  /** Called once a watch has sent its initial events. */
  whenInitialized: (() => void) | undefined;
  /** Another process takes this one's place: what would last for long is to end soon. */
  isRetiring = false;
  /** Called when that happens while it lasts. */
  whenRetiring: (() => void) | undefined;
  /** Whether the server has refused or ended it to protect itself. */
  terminated = false;
  /** What counts it among the requests under way. */
  counted: {end(): void} | undefined;
  /** Size of the answer's body, where it is known. */
  answerBytes: number | undefined;
  /** Set while the body is being received. */
  body: IncomingBody | undefined;
  readonly #answer: HeldMemory;
  #answerQueue: {readonly queuedBytes: number} | undefined;
  readonly #received: HeldMemory;
  #annotations: Annotations | undefined;
  #warningLength = 0;
  #cutsWarnings = false;
  #task: RequestTask | undefined;
  #abort: AbortController | undefined;
  #ended = false;
  #finished = false;
  /** Nearly every request has one or two: a list of links is a third of what an array takes. */
  #atFinish: AtFinish | undefined;
  #lastAtFinish: AtFinish | undefined;

  constructor(
    readonly id: string,
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    readonly carrier: Carrier,
    /** What a request for an upgrade brings. */
    readonly upgrade?: Upgrade,
  ) {
    this.#answer = new HeldMemory(carrier.answers);
    this.#received = new HeldMemory(carrier.bodies);
    // The part before the path in an absolute-form target (RFC 9112, 3.2.2) contains nothing new.
    const url = this.uri;
    const mark = url.indexOf('?');
    this.path = mark < 0 ? url : url.slice(0, mark);
    this.query = mark < 0 ? emptyQuery : new URLSearchParams(url.slice(mark + 1));
  }

  /** Path and query as received. */
  get uri(): string {
    const {url = '/'} = this.request;
    return url.startsWith('/') ? url : url.replace(absoluteForm, '');
  }

  get method(): string {
    return this.request.method ?? 'GET';
  }

  get socket(): TLSSocket {
    return this.request.socket as TLSSocket;
  }

  /**
   * Hands the connection over to who speaks another protocol on it. What fails before anything has been written is answered as any error is; after that the
   * connection is closed.
   *
   * @throws what `work` throws
   */
  async handOver(work: (upgrade: Upgrade) => void | Promise<void>): Promise<void> {
    const {socket, head, giveBack} = this.takeConnection();
    const before = socket.bytesWritten;
    try {
      await work({socket, head});
    } catch (error) {
      if (socket.destroyed || socket.bytesWritten > before) socket.destroy();
      else giveBack();
      throw error;
    }
  }

  /** Hands the connection over: nothing more is written through `response` unless it is given back. */
  takeConnection(): Upgrade & {giveBack(): void} {
    const {upgrade, response} = this;
    if (!upgrade) throw new Error('the request asks for no upgrade');
    void this.audit?.started(101);
    return {...upgrade, giveBack: detachResponse(response, upgrade.socket)};
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  /** Fires if the client disconnects before the response, or the request times out. */
  get signal(): AbortSignal {
    if (!this.#abort) {
      this.#abort = new AbortController();
      if (this.#ended) this.#abort.abort();
    }
    return this.#abort.signal;
  }

  /** Whether `signal` has fired, or would have. */
  get isAborted(): boolean {
    return this.#ended;
  }

  /**
   * Whether nobody waits for what its handler would say: its client is gone, its time is over, or it was answered otherwise (its body turned
   * out to be broken, say). To be asked where it has waited for something, before its work begins.
   */
  get isOver(): boolean {
    const {response} = this;
    return this.#ended || response.headersSent || response.destroyed;
  }

  /** As `signal`, for the registry. */
  cancellation(): AbortSignal {
    return this.signal;
  }

  /** Cancels the work for this request. */
  abort(): void {
    this.#ended = true;
    this.#abort?.abort();
  }

  /**
   * Calls back once the whole response has been passed to the operating system, or the connection is gone; immediately if that has already
   * happened. Until then the request uses the server's memory: code that counts requests counts until here, not until the handler returns.
   */
  whenFinished(callback: () => void): void {
    if (this.#finished) return callback();
    const added: AtFinish = {callback, next: undefined};
    if (this.#lastAtFinish) this.#lastAtFinish.next = added;
    else this.#atFinish = added;
    this.#lastAtFinish = added;
  }

  /** Spreads the work over turns of the event loop. */
  get task(): RequestTask {
    return (this.#task ??= new RequestTask(this.carrier.scheduler.task('request', 'request'), this));
  }

  /** For its task: among requests, before a long part of the work. */
  turn(): Promise<void> | undefined {
    return this.turns?.wait(this.startedAt);
  }

  /**
   * To be called when work goes on after it has waited for its body or for the store: what many requests have waited for comes to all of them at once. If others
   * should go first, it continues once the promise resolves. It stands behind those of its flow that have waited for longer: that many writes advance together is
   * what lets the store commit them together.
   */
  resume(): Promise<void> | undefined {
    return this.turns?.giveWay(this.working());
  }

  /** Between two parts of a large answer. Of the requests of a flow the oldest goes first, so that few large answers are in memory. */
  giveWay(): Promise<void> | undefined {
    return this.turns?.giveWay(this.startedAt);
  }

  /** Reports that work for this request continues here, after waiting for something. Returns the time, as `performance.now()`. */
  working(): number {
    return this.carrier.working(this);
  }

  /** Sets how many unsent bytes of the response are in memory. They are released when the response has finished. */
  holdAnswer(bytes: number): void {
    if (!this.#finished) this.carrier.unsentChanged(this.#answer.set(bytes, this.user));
  }

  /** For a streamed response: the bytes in memory are those that its queue reports whenever it is checked. */
  holdQueue(queue: {readonly queuedBytes: number}): void {
    this.#answerQueue = queue;
  }

  /** Checks the queue of a streamed response. */
  sampleAnswer(): void {
    if (this.#answerQueue) this.holdAnswer(this.#answerQueue.queuedBytes);
  }

  /**
   * Sets how many bytes of the request body are in memory. They count until the response has finished, because the objects made from them
   * live that long.
   */
  holdBody(bytes: number): void {
    if (!this.#finished) this.#received.set(bytes, this.user);
  }

  /** Whether the whole response has been passed to the operating system, or the connection is gone. */
  get isFinished(): boolean {
    return this.#finished;
  }

  /** Called by the server when the response has been sent. Further calls do nothing. */
  finish(): void {
    if (this.#finished) return;
    this.holdAnswer(0);
    this.holdBody(0);
    this.#finished = true;
    for (let link = this.#atFinish; link; link = link.next) link.callback();
    this.#atFinish = undefined;
    this.#lastAtFinish = undefined;
  }

  /** Adds a `Warning` header; each text only once. Where all together are too long, each is cut, and what is still too much is dropped. */
  warn(text: string): void {
    if (this.warnings.includes(text)) return;
    if (!this.#cutsWarnings && this.#warningLength + text.length > warningsLimit) {
      this.#cutsWarnings = true;
      this.#warningLength = 0;
      for (const before of this.warnings.splice(0)) this.#addWarning(before.slice(0, warningLimit));
    }
    this.#addWarning(this.#cutsWarnings ? text.slice(0, warningLimit) : text);
  }

  #addWarning(text: string): void {
    if (this.#warningLength + text.length > warningsLimit || this.warnings.includes(text)) return;
    this.#warningLength += text.length;
    this.warnings.push(text);
  }

  /** Adds an audit annotation: a later value for a key replaces an earlier one. */
  annotate(key: string, value: string, level: AnnotationLevel = 'Metadata'): void {
    (this.#annotations ??= new Annotations()).set(key, value, level);
  }

  /** What policies have noted for records of this level; undefined where none has. Those of `Request` hold parts of objects. */
  annotations(level: AnnotationLevel): Readonly<Record<string, string>> | undefined {
    return this.#annotations?.at(level);
  }
}

const emptyQuery = new URLSearchParams();
