import type {IncomingMessage, ServerResponse} from 'node:http';
import type {Socket} from 'node:net';
import type {TLSSocket} from 'node:tls';
import type {AnnotationLevel, UserInfo} from '../../../sdk/index.js';
import {HeldMemory} from '../limits/held-memory.js';
import type {HttpLimits, LimitName} from '../limits/http-limits.js';
import type {MemoryBudget} from '../limits/memory-budget.js';
import type {RequestInfo} from './request-info.js';
import {Annotations} from '../../registry/audit/annotations.js';
import type {AuditRecord} from '../../registry/audit/audit-record.js';
import {Pace} from '../../registry/pace.js';

/** Longest text of one warning and of all together (docs/semantics/answers.md#warnings). */
const warningLimit = 256;
const warningsLimit = 4096;

/** A connection whose client wants another protocol than HTTP from here on. */
export interface Upgrade {
  readonly socket: Socket;
  /** What came behind the request already. */
  readonly head: Buffer;
}

/** What a request knows of the connection that it came on. */
export interface Carrier {
  readonly limits: HttpLimits;
  /** Memory of answers that wait to be sent. */
  readonly answers: MemoryBudget;
  /** Memory of requests' bodies. */
  readonly bodies: MemoryBudget;
  /** The client has proved who it is. */
  identified(): void;
  /** Ends the connection at once, whatever is still to be sent. */
  cut(): void;
  /** Answers on this connection have so many more bytes waiting to be sent; fewer when negative. */
  unsentChanged(bytes: number): void;
  /** Work for a request goes on; the watchdog of the event loop names it when that takes long. */
  working(exchange: Exchange): void;
  /** Tells in the log that a limit acted. */
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

/** The turns of one request among others. */
export interface RequestTurns {
  /** For a short part of the work: when others are to go first it goes on once the promise is resolved. */
  giveWay(): Promise<void> | undefined;
  /** Before what may take long: of all that begins so one does in a turn of the event loop. */
  wait(): Promise<void>;
}

const noHeaders: readonly string[] = [];
const absoluteForm = /^https?:\/\/[^/?]*/i;

/** One request on its way through the filters, with what they found out about it. */
export class Exchange {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly startedAt = performance.now();
  /** Set by the filters in their order. */
  info!: RequestInfo;
  user!: UserInfo;
  /** Who made the request where it acts as somebody else, who is `user` then. */
  impersonator: UserInfo | undefined;
  /** Undefined when nothing is recorded of the request. */
  audit: AuditRecord | undefined;
  readonly warnings: string[] = [];
  /** Time that the request has in all, in milliseconds, where it has a limit. */
  timeLimitMillis: number | undefined;
  /** Headers that tell which flow schema and priority level the request belongs to: names and values in turn. */
  flowHeaders: readonly string[] = noHeaders;
  /** Decides when the parts of the work that can wait are done; undefined where the request is exempt from priority and fairness. */
  turns: RequestTurns | undefined;
  /** Called once a watch has told what there was when it began. */
  whenInitialized: (() => void) | undefined;
  /** Size of the answer's body, where it is known. */
  answerBytes: number | undefined;
  /** Set while the body is on its way. */
  body: IncomingBody | undefined;
  readonly #answer: HeldMemory;
  #answerQueue: {readonly queuedBytes: number} | undefined;
  readonly #received: HeldMemory;
  #annotations: Annotations | undefined;
  #warningLength = 0;
  #pace: Pace | undefined;
  #abort: AbortController | undefined;
  #ended = false;
  #finished = false;
  #atFinish: (() => void)[] = [];

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
    // What stands before the path in the absolute form of a target (RFC 9112, 3.2.2) says nothing that is not known.
    const url = this.uri;
    const mark = url.indexOf('?');
    this.path = mark < 0 ? url : url.slice(0, mark);
    this.query = mark < 0 ? emptyQuery : new URLSearchParams(url.slice(mark + 1));
  }

  /** Path and query as they came. */
  get uri(): string {
    return (this.request.url ?? '/').replace(absoluteForm, '');
  }

  get method(): string {
    return this.request.method ?? 'GET';
  }

  get socket(): TLSSocket {
    return this.request.socket as TLSSocket;
  }

  /** Hands the connection over: nothing is written through `response` any more. */
  takeConnection(): Upgrade {
    const {upgrade, response} = this;
    if (!upgrade) throw new Error('the request asks for no upgrade');
    void this.audit?.started(101);
    response.removeAllListeners('finish');
    response.detachSocket(upgrade.socket);
    return upgrade;
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  /** Fires when the client goes away before it is answered, or when the request's time is over. */
  get signal(): AbortSignal {
    if (!this.#abort) {
      this.#abort = new AbortController();
      if (this.#ended) this.#abort.abort();
    }
    return this.#abort.signal;
  }

  /** Ends work that is done for this request. */
  abort(): void {
    this.#ended = true;
    this.#abort?.abort();
  }

  /**
   * Calls back once the whole answer has been handed to the system, or the connection is gone; at once when that is past. Until then the
   * request keeps memory of the server's: whatever counts requests counts up to here, not until the handler returns.
   */
  whenFinished(callback: () => void): void {
    if (this.#finished) callback();
    else this.#atFinish.push(callback);
  }

  /** How the work is spread over turns of the event loop. */
  get pace(): Pace {
    const {turns} = this;
    return (this.#pace ??= new Pace({...(turns ? {begin: () => turns.wait()} : {}), resumed: () => this.working()}));
  }

  /** Says that work for this request goes on from here, behind something that was waited for. */
  working(): void {
    this.carrier.working(this);
  }

  /** Says how many bytes of the answer are in memory and not sent. Whatever is held is given back when the answer has finished. */
  holdAnswer(bytes: number): void {
    if (!this.#finished) this.carrier.unsentChanged(this.#answer.set(bytes, this.user));
  }

  /** The answer is a stream: what is held of it is what its queue says whenever somebody looks. */
  holdQueue(queue: {readonly queuedBytes: number}): void {
    this.#answerQueue = queue;
  }

  /** Looks at the queue of an answer that is a stream. */
  sampleAnswer(): void {
    if (this.#answerQueue) this.holdAnswer(this.#answerQueue.queuedBytes);
  }

  /** Says how many bytes of the request's body are in memory. They count until the answer has finished: what is made of them lives as long. */
  holdBody(bytes: number): void {
    if (!this.#finished) this.#received.set(bytes, this.user);
  }

  /** Called by the server, which knows when the answer has gone out. Further calls do nothing. */
  finish(): void {
    if (this.#finished) return;
    this.holdAnswer(0);
    this.holdBody(0);
    this.#finished = true;
    for (const callback of this.#atFinish.splice(0)) callback();
  }

  /** Adds a `Warning` header; the same text only once, and no more than the limits allow. */
  warn(text: string): void {
    const shown = text.length > warningLimit ? text.slice(0, warningLimit) : text;
    if (this.#warningLength + shown.length > warningsLimit || this.warnings.includes(shown)) return;
    this.#warningLength += shown.length;
    this.warnings.push(shown);
  }

  /** Notes something that is recorded of the request: a later value for a key takes the place of an earlier one. */
  annotate(key: string, value: string, level: AnnotationLevel = 'Metadata'): void {
    (this.#annotations ??= new Annotations()).set(key, value, level);
  }

  /** What policies have noted for records of this level; undefined where none has. Those of `Request` hold parts of objects. */
  annotations(level: AnnotationLevel): Readonly<Record<string, string>> | undefined {
    return this.#annotations?.at(level);
  }
}

const emptyQuery = new URLSearchParams();
