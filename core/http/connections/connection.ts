import {watchForCrumbs} from '../body/crumbs.js';
import type {Scheduler, Task} from '../../../sdk/index.js';
import {randomUuid} from '../../../sdk/values/random-uuid.js';
import {TransientMap} from '../../../sdk/values/transient-map.js';
import type {IncomingMessage, ServerResponse} from 'node:http';
import type {Socket} from 'node:net';
import type {TLSSocket} from 'node:tls';
import {Exchange, type Carrier, type Upgrade} from '../request/exchange.js';
import type {ClientConnection} from './client-connection.js';
import type {HttpLimits, LimitName} from '../limits/http-limits.js';
import type {MemoryBudget} from '../limits/memory-budget.js';
import {isLongRunning} from '../request/long-running.js';
import {HeadMemory} from './head-memory.js';
import {refusal, type Refusal} from './refuse-request.js';
import {holdReading} from '../node/hold-reading.js';
import {lingerAtEnd, makeLast} from '../node/last-answer.js';
import type {Arrival} from '../node/hook.js';
import {ReceivedParts} from '../node/received-parts.js';
import {undoSocketPause} from '../node/undo-socket-pause.js';
import {beginUpgrade} from '../node/upgrade-response.js';
import {writtenBytes} from '../node/written-bytes.js';

/** A request that waits, with the bytes of its head that are counted. */
type Waiting = Arrival & {readonly headBytes: number};

/** Fixed bounds of connections of HTTP/2 (decision 108): how often their streams may break off, what they may receive besides requests, and those of Node's library. */
export type Http2Bound = 'http2Overhead' | 'http2Protocol' | 'http2Resets';

/** What a connection needs from the server. */
export interface ConnectionOwner {
  readonly limits: HttpLimits;
  readonly scheduler: Scheduler;
  /** Memory of unsent responses, and of requests behind them. */
  readonly answers: MemoryBudget;
  readonly bodies: MemoryBudget;
  /** Memory of requests' heads, by the addresses of clients. */
  readonly heads: MemoryBudget;
  /** The part of requests of HTTP/2 with which their connection ends. */
  readonly goawayChance: number;
  /** Whether a connection of HTTP/2 ends with the request of a caller who is nobody. */
  readonly endsAnonymous: boolean;
  /** Whether other processes take this one's place, or it ends. */
  readonly isRetiring: boolean;
  /** Serves a request, or refuses it. Never rejects; undefined if nothing goes on. @param refused what is wrong with its headers */
  handle(exchange: Exchange, refused: Refusal | undefined): Promise<void> | undefined;
  /** The connection has got its first unfinished request, or has finished its last one. */
  busyChanged(connection: ClientConnection): void;
  /** The client has authenticated. */
  identified(connection: ClientConnection): void;
  /** Work for a request continues. */
  working(exchange: Exchange): number;
  /** Logs that a limit took effect. */
  acted(limit: LimitName | Http2Bound, what: string, details: object): void;
  /** There is no memory for the head of the next request. */
  headRefused(connection: Connection): void;
}

/** Approximate memory of a waiting request: its headers and Node's objects for it. */
export const waitingRequestBytes = 4 * 1024;

/**
 * One client's connection after the handshake. Serves its requests in order, several at once as long as that costs little. Requests that
 * arrive faster than they are answered wait, and nothing further is read until they have been served.
 */
export class Connection implements Carrier, ClientConnection {
  /** Whether the client has authenticated. */
  known: boolean;
  /** When the client last read pending data, and how much it had read by then; for detecting clients that do not read. */
  #taken: {readonly at: number; readonly bytes: number} | undefined;
  readonly #unfinished = new TransientMap<Exchange, true>();
  readonly #waiting: Waiting[] = [];
  readonly #heads: HeadMemory;
  #latest: Exchange | undefined;
  #unsent = 0;
  #ending = false;
  /** Serves waiting requests over several turns of the event loop: responses that need no wait would otherwise follow each other without a break. */
  #serving: Task | undefined;
  #resting = false;
  /** Resumes reading after it was paused because requests wait. */
  #readOn: (() => void) | undefined;

  readonly #owner: ConnectionOwner;
  /** Bytes received after the connection is paused or cut must not be parsed with earlier ones. */
  readonly #parts: ReceivedParts;

  constructor(
    readonly socket: TLSSocket,
    /** The socket below TLS. */
    readonly transport: Socket,
    /** Key by which the connections of its client are counted. */
    readonly address: string,
    owner: ConnectionOwner,
  ) {
    this.#owner = owner;

    this.known = socket.authorized;
    this.#heads = new HeadMemory(owner.heads, {
      address,
      bodyReceived: () => this.#latest?.body?.received ?? 0,
      headRefused: () => this.#refuseHead(),
    });
    this.#parts = new ReceivedParts(socket, (bytes) => this.#heads.parsed(bytes));
  }

  get limits(): HttpLimits {
    return this.#owner.limits;
  }

  get scheduler(): Scheduler {
    return this.#owner.scheduler;
  }

  get answers(): MemoryBudget {
    return this.#owner.answers;
  }

  get bodies(): MemoryBudget {
    return this.#owner.bodies;
  }

  get isIdle(): boolean {
    return this.#unfinished.size === 0;
  }

  /** The requests that are in progress or whose responses have not been sent. */
  get unfinished(): Iterable<Exchange> {
    return this.#unfinished.keys();
  }

  /** The request whose body is still being received, if any: nothing follows it yet. */
  get incomplete(): Exchange | undefined {
    return !this.isIdle && !this.#latest!.request.complete ? this.#latest : undefined;
  }

  /** Accepts a request while Node announces it: serves it, or lets it wait. */
  arrive(arrival: Arrival): void {
    if (!arrival.upgrade) {
      undoSocketPause(this.socket);
      watchForCrumbs(arrival.request, this.#cutForCrumbs);
    }
    const headBytes = this.#heads.announced(arrival.request, arrival.upgrade !== undefined);
    // The last response said that the connection ends, so the client knows that it must retry.
    if (this.#ending) return this.#heads.release(headBytes);
    if (this.#waiting.length === 0 && this.#mayServe(arrival)) return this.#serve(arrival, headBytes);
    this.#waiting.push({...arrival, headBytes});
    this.answers.add(waitingRequestBytes);
    if (this.#waiting.length > this.limits.maxWaitingRequests) return this.#overrun('maxWaitingRequests');
    if (this.answers.isFull) return this.#overrun('maxUnsentBytes');
    // Data after an upgrade is not read until there is a listener.
    if (arrival.upgrade) return;
    if (this.#readOn) return;
    this.#parts.readFromSocket();
    this.#readOn = holdReading(this.socket);
  }

  identified(): void {
    if (!this.known) this.#owner.identified(this);
  }

  /** Bounds of all such connections are enough. */
  unidentified(): void {}

  readonly #cutForCrumbs = (): void => this.cut();

  cut(): void {
    this.#dropWaiting();
    this.socket.destroy();
  }

  unsentChanged(bytes: number): void {
    this.#unsent += bytes;
  }

  working(exchange: Exchange): number {
    return this.#owner.working(exchange);
  }

  acted(limit: LimitName, what: string, details: object): void {
    this.#owner.acted(limit, what, {address: this.address, ...details});
  }

  endsWith({request, response}: Exchange, lingers: boolean): void {
    if (!response.headersSent) response.setHeader('Connection', 'close');
    if (lingers) lingerAtEnd(request.socket);
  }

  look(now: number, stallMillis: number): void {
    // A response that has not begun waits for the server, not for the client.
    if (this.#unsent === 0 || this.socket.writableLength === 0) {
      this.#taken = undefined;
      return;
    }
    const bytes = writtenBytes(this.transport);
    if (this.#taken?.bytes !== bytes) {
      this.#taken = {at: now, bytes};
    } else if (now - this.#taken.at >= stallMillis) {
      this.acted('stallTimeout', 'a connection was cut whose client takes nothing of its answer', {unsent: this.#unsent});
      this.cut();
    }
  }

  /** Each answer says from then on that the connection ends with it. */
  retire(): void {}

  /** Ends the connection after the current response, or immediately if there is none. */
  end(): void {
    this.#dropWaiting();
    if (this.isIdle) return this.socket.destroySoon();
    // Even if its headers, already sent, promised to keep the connection open.
    makeLast(this.#latest!.response);
  }

  /** The connection has closed: aborts the requests in progress. */
  closed(): void {
    this.#dropWaiting();
    this.#heads.close();
    for (const exchange of this.#unfinished.keys()) {
      exchange.abort();
      exchange.finish();
    }
    this.#unfinished.clear();
  }

  /**
   * Nothing is served behind a long-running request, because its response may take hours. Data after a protocol upgrade is not HTTP, so the
   * upgrade begins when all earlier requests are finished.
   */
  #mayServe({upgrade}: Arrival): boolean {
    if (this.isIdle) return true;
    if (upgrade || isLongRunning(this.#latest!)) return false;
    return this.#unfinished.size < this.limits.maxUnfinishedRequests && this.#unsent <= this.limits.maxUnsentBytesPerConnection;
  }

  /** Drops requests that have been received but not served. */
  #dropWaiting(): void {
    this.#ending = true;
    this.answers.add(-waitingRequestBytes * this.#waiting.length);
    for (const {headBytes} of this.#waiting) this.#heads.release(headBytes);
    this.#waiting.length = 0;
  }

  #release(): void {
    this.#readOn?.();
    this.#readOn = undefined;
  }

  #refuseHead(): void {
    this.#parts.drop();
    this.#owner.headRefused(this);
  }

  #overrun(limit: LimitName): void {
    this.acted(limit, 'a connection was cut that sends requests and takes no answers', {waiting: this.#waiting.length});
    this.cut();
  }

  #serve({request, response, upgrade}: Arrival, headBytes: number): void {
    const exchange = new Exchange(chosenId(request) || randomUuid(), request, response, this, upgrade);
    const wasIdle = this.isIdle;
    this.#unfinished.set(exchange, true);
    this.#latest = exchange;
    if (wasIdle) this.#owner.busyChanged(this);
    if (headBytes > 0) exchange.whenFinished(() => this.#heads.release(headBytes));
    response.once('finish', () => this.#finished(exchange));
    if (upgrade) this.#beginUpgrade(response, upgrade);
    void this.#owner.handle(exchange, refusal(exchange, this.limits));
  }

  /** Upgrades are handled like all requests; an ordinary response to one ends the connection. */
  #beginUpgrade(response: ServerResponse, {socket}: Upgrade): void {
    this.#ending = true;
    this.#parts.end();
    this.#release();
    beginUpgrade(response, socket);
  }

  #finished(exchange: Exchange): void {
    this.#unfinished.delete(exchange);
    exchange.finish();
    this.#goOn();
  }

  #goOn(): void {
    if (this.#resting) return;
    this.#serveWaiting();
    if (!this.isIdle || this.#resting) return;
    if (this.#ending) this.socket.destroySoon();
    this.#owner.busyChanged(this);
  }

  #serveWaiting(): void {
    if (this.#waiting.length === 0) return;
    while (this.#waiting.length > 0 && this.#mayServe(this.#waiting[0]!)) {
      this.#serving ??= this.scheduler.task('request', 'pipelined requests');
      const turn = this.#serving.yieldIfDue();
      if (turn) return void this.#rest(turn);
      this.answers.add(-waitingRequestBytes);
      const next = this.#waiting.shift()!;
      this.#serve(next, next.headBytes);
    }
    if (this.#waiting.length === 0) this.#release();
  }

  /** Lets other connections run. */
  async #rest(turn: Promise<void>): Promise<void> {
    this.#resting = true;
    await turn;
    this.#resting = false;
    this.#goOn();
  }
}

/** The audit id that the client asks for. */
export function chosenId(request: IncomingMessage): string | undefined {
  const given = request.headers['audit-id'] as string | undefined;
  // Node joins several with commas; the first one counts.
  return given?.includes(',') ? request.headersDistinct['audit-id']?.[0] : given;
}
