import {randomUUID} from 'node:crypto';
import type {IncomingMessage, ServerResponse} from 'node:http';
import type {Socket} from 'node:net';
import type {TLSSocket} from 'node:tls';
import {Exchange, type Carrier, type Upgrade} from '../request/exchange.js';
import type {HttpLimits, LimitName} from '../limits/http-limits.js';
import type {MemoryBudget} from '../limits/memory-budget.js';
import {isLongRunning} from '../request/long-running.js';
import {holdReading} from './hold-reading.js';
import {undoSocketPause} from './undo-socket-pause.js';

/** A request that has been announced. */
export interface Arrival {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly upgrade?: Upgrade;
}

/** What a connection needs of the server. */
export interface ConnectionOwner {
  readonly limits: HttpLimits;
  /** Memory of answers that wait to be sent, and of requests behind them. */
  readonly answers: MemoryBudget;
  readonly bodies: MemoryBudget;
  /** Serves a request. */
  handle(exchange: Exchange): void;
  /** The connection has got its first unfinished request, or has finished its last one. */
  busyChanged(connection: Connection): void;
  /** The client has proved who it is. */
  identified(connection: Connection): void;
  /** Work for a request goes on. */
  working(exchange: Exchange): void;
  /** Tells in the log that a limit acted. */
  acted(limit: LimitName, what: string, details: object): void;
}

/** About what a request takes that waits: its head, and what Node makes of it. */
const waitingRequestBytes = 4 * 1024;

/**
 * One client's connection behind the handshake. Serves its requests in their order, several at once as long as that costs little; those that
 * come faster than they are answered wait, and nothing further is read until they have been served.
 */
export class Connection implements Carrier {
  /** Whether the client has proved who it is. */
  known: boolean;
  /** When the client last took something of what waits for it, and how much it had taken by then; for whoever looks for clients that do not read. */
  taken: {readonly at: number; readonly bytes: number} | undefined;
  readonly #unfinished = new Set<Exchange>();
  readonly #waiting: Arrival[] = [];
  #latest: Exchange | undefined;
  #unsent = 0;
  #ending = false;
  /** Goes on reading, where that was stopped because requests wait. */
  #readOn: (() => void) | undefined;

  readonly #owner: ConnectionOwner;

  constructor(
    readonly socket: TLSSocket,
    /** The socket below TLS. */
    readonly transport: Socket,
    /** What its client's connections are counted by. */
    readonly address: string,
    owner: ConnectionOwner,
  ) {
    this.#owner = owner;

    this.known = socket.authorized;
  }

  get limits(): HttpLimits {
    return this.#owner.limits;
  }

  get answers(): MemoryBudget {
    return this.#owner.answers;
  }

  get bodies(): MemoryBudget {
    return this.#owner.bodies;
  }

  /** Bytes of answers that wait to be sent. */
  get unsent(): number {
    return this.#unsent;
  }

  get isIdle(): boolean {
    return this.#unfinished.size === 0;
  }

  /** The requests that are served or whose answers have not been sent. */
  get unfinished(): Iterable<Exchange> {
    return this.#unfinished;
  }

  /** The request whose body is still on its way, if there is one: nothing comes behind it yet. */
  get incomplete(): Exchange | undefined {
    return !this.isIdle && !this.#latest!.request.complete ? this.#latest : undefined;
  }

  /** Takes a request while it is being announced: serves it, or has it wait. */
  arrive(arrival: Arrival): void {
    if (!arrival.upgrade) undoSocketPause(this.socket);
    // Behind the last request that is served; its client knows from the answer that it has to ask again.
    if (this.#ending) return;
    if (this.#waiting.length === 0 && this.#mayServe(arrival)) return this.#serve(arrival);
    if (this.#waiting.length >= this.limits.maxWaitingRequests) return this.#overrun('maxWaitingRequests');
    if (this.answers.isFull) return this.#overrun('maxUnsentBytes');
    this.#waiting.push(arrival);
    this.answers.add(waitingRequestBytes);
    // What follows an upgrade is not read before somebody listens to it.
    if (arrival.upgrade) return;
    this.#readOn ??= holdReading(this.socket);
  }

  identified(): void {
    if (!this.known) this.#owner.identified(this);
  }

  cut(): void {
    this.#dropWaiting();
    this.socket.destroy();
  }

  unsentChanged(bytes: number): void {
    this.#unsent += bytes;
  }

  working(exchange: Exchange): void {
    this.#owner.working(exchange);
  }

  acted(limit: LimitName, what: string, details: object): void {
    this.#owner.acted(limit, what, {address: this.address, ...details});
  }

  /** Ends the connection with the answer that is under way; at once when there is none. */
  end(): void {
    this.#dropWaiting();
    if (this.isIdle) return this.socket.destroySoon();
    // An answer whose head has gone out promised to keep the connection open; it is ended behind it all the same.
    this.#latest!.response.shouldKeepAlive = false;
  }

  /** The connection is gone: nobody waits for what is under way. */
  closed(): void {
    this.#dropWaiting();
    for (const exchange of this.#unfinished) {
      exchange.abort();
      exchange.finish();
    }
    this.#unfinished.clear();
  }

  /**
   * Nothing is served behind a request that lasts: its answer could be waited for for hours. What comes behind a change of the protocol is not
   * HTTP, so that begins when all before it is over.
   */
  #mayServe({upgrade}: Arrival): boolean {
    if (this.isIdle) return true;
    if (upgrade || isLongRunning(this.#latest!)) return false;
    return this.#unfinished.size < this.limits.maxUnfinishedRequests && this.#unsent <= this.limits.maxUnsentBytesPerConnection;
  }

  /** Nothing further is served, whatever has been received already or still is. */
  #dropWaiting(): void {
    this.#ending = true;
    this.answers.add(-waitingRequestBytes * this.#waiting.length);
    this.#waiting.length = 0;
  }

  #release(): void {
    this.#readOn?.();
    this.#readOn = undefined;
  }

  #overrun(limit: LimitName): void {
    this.acted(limit, 'a connection was cut that sends requests and takes no answers', {waiting: this.#waiting.length});
    this.cut();
  }

  #serve({request, response, upgrade}: Arrival): void {
    const exchange = new Exchange(chosenId(request) || randomUUID(), request, response, this, upgrade);
    const wasIdle = this.isIdle;
    this.#unfinished.add(exchange);
    this.#latest = exchange;
    if (wasIdle) this.#owner.busyChanged(this);
    response.once('finish', () => this.#finished(exchange));
    if (upgrade) this.#beginUpgrade(response, upgrade);
    this.#owner.handle(exchange);
  }

  /** Upgrades go the way of all requests; what answers one in the ordinary way ends the connection with it. */
  #beginUpgrade(response: ServerResponse, {socket}: Upgrade): void {
    this.#ending = true;
    this.#release();
    // As Node leaves it: it flows once somebody listens.
    (this.socket as {readableFlowing: boolean | null}).readableFlowing = null;
    response.assignSocket(socket);
  }

  #finished(exchange: Exchange): void {
    this.#unfinished.delete(exchange);
    exchange.finish();
    this.#serveWaiting();
    if (!this.isIdle) return;
    if (this.#ending) this.socket.destroySoon();
    this.#owner.busyChanged(this);
  }

  #serveWaiting(): void {
    if (this.#waiting.length === 0) return;
    while (this.#waiting.length > 0 && this.#mayServe(this.#waiting[0]!)) {
      this.answers.add(-waitingRequestBytes);
      this.#serve(this.#waiting.shift()!);
    }
    if (this.#waiting.length === 0) this.#release();
  }
}

/** The id that the client wants its request to have in the audit log and in logs. */
function chosenId(request: IncomingMessage): string | undefined {
  const given = request.headers['audit-id'] as string | undefined;
  // Of several, which Node joins with commas, the first one counts.
  return given?.includes(',') ? request.headersDistinct['audit-id']?.[0] : given;
}
