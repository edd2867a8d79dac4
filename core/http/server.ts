import type {Server as NodeServer} from 'node:http';
import type {Socket} from 'node:net';
import type {ServerOptions as TlsOptions} from 'node:https';
import type {SecureContext, Server as TlsServer, TLSSocket} from 'node:tls';
import type {CooperativeScheduler, Logger} from '../../sdk/index.js';
import {answerBrokenRequest, headsFull} from './connections/answer-broken-request.js';
import {Connection} from './connections/connection.js';
import type {ConnectionSource} from './connections/connection-source.js';
import {ConnectionTable} from './connections/connection-table.js';
import {refuse, type Refusal} from './connections/refuse-request.js';
import {SlowClients} from './connections/slow-clients.js';
import {withdrawUntrusted} from './authentication/client-certificate.js';
import type {Http2Settings} from './http2/http2-settings.js';
import type {Exchange} from './request/exchange.js';
import type {HttpFigures} from './http-figures.js';
import type {HttpLimits} from './limits/http-limits.js';
import {LimitLog} from './limits/limit-log.js';
import {LoopWatchdog} from './watchdog/loop-watchdog.js';
import {MemoryBudget} from './limits/memory-budget.js';
import {closeListener} from './node/close-listener.js';
import {expectConnections, handConnection} from './node/handed-connections.js';
import {boundHeads} from './node/head-bytes.js';
import type {Arrival} from './node/hook.js';
import {Listener} from './node/listener.js';
import {verifyNode} from './node/verify-node.js';
import {tlsProtocol} from './tls/cipher-suites.js';
import type {TlsMaterial} from './tls/tls-material.js';

export interface HttpServerOptions {
  readonly bindAddress: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** Who listens in its place; then nothing is listened on here. */
  readonly source?: ConnectionSource | undefined;
  readonly tls: TlsOptions;
  /** Certificates for certain host names. */
  readonly named?: TlsMaterial['named'];
  /** How HTTP/2 is served besides HTTP/1.1: clients choose by ALPN. Undefined if it is not offered. */
  readonly http2: Http2Settings | undefined;
  readonly limits: HttpLimits;
  readonly scheduler: CooperativeScheduler;
  readonly logger: Logger;
  /** Serves one request; must not reject. */
  readonly handle: (exchange: Exchange) => Promise<void>;
}

/** HTTP/2 by its name in ALPN. */
const http2 = 'h2';

type SniAnswer = (error: Error | null, context?: SecureContext) => void;

/** How often, at most, connections without a complete request for too long are checked for, in milliseconds: Node does so whether there are any or not. */
const checkMillis = 5000;
/** Idle time before TCP keepalive probes, in milliseconds: watches may have nothing to send for an hour. */
const aliveMillis = 30_000;

/** The TLS server: its connections, their limits and the requests on them. */
export class HttpServer {
  readonly #listener: Listener;
  readonly #node: NodeServer;
  /** Who of Node's and restify's own hears of a connection. */
  readonly #own: readonly unknown[];
  readonly #table: ConnectionTable;
  readonly #log: LimitLog;
  readonly #answers: MemoryBudget;
  readonly #bodies: MemoryBudget;
  readonly #heads: MemoryBudget;
  readonly #slowClients: SlowClients;
  readonly #watchdog: LoopWatchdog;
  #closing = false;
  #retiring = false;
  #named: TlsMaterial['named'];
  /** CAs of clients, once they have been replaced. */
  #authorities: TlsMaterial['authorities'] | undefined;
  /** What serves HTTP/2: loaded for the first connection that speaks it. */
  #http2: Promise<typeof import('./http2/http2-connection.js')> | undefined;
  readonly #options: HttpServerOptions;

  constructor(options: HttpServerOptions) {
    this.#options = options;
    this.#named = options.named;
    const {limits, logger} = options;
    this.#log = new LimitLog(logger);
    this.#answers = new MemoryBudget(limits.maxUnsentBytes, limits.maxUnsentBytesPerUser);
    this.#bodies = new MemoryBudget(limits.maxBodyBytesInAll, limits.maxBodyBytesPerUser);
    this.#heads = new MemoryBudget(limits.maxHeaderBytesInAll, limits.maxHeaderBytesPerAddress);
    this.#listener = new Listener({
      name: 'orch',
      log: logger,
      tls: {
        ...tlsProtocol(),
        ...options.tls,
        ALPNProtocols: [...(options.http2 ? [http2] : []), 'http/1.1'],
        SNICallback: (name: string, answer: SniAnswer) => answer(null, this.#named?.of(name)),
        handshakeTimeout: limits.handshakeTimeout,
        headersTimeout: limits.headersTimeout,
        // A request that is being served is ended by its own limits; this is for anything that escapes them.
        requestTimeout: limits.headersTimeout + limits.requestTimeout,
        keepAliveTimeout: limits.idleTimeout,
        connectionsCheckingInterval: Math.min(checkMillis, limits.headersTimeout / 2),
        maxHeaderSize: limits.maxHeaderBytes,
        // `refusal` looks at them, so that all requests go one way.
        requireHostHeader: false,
        noDelay: true,
        keepAlive: true,
        keepAliveInitialDelay: aliveMillis,
      },
      arrive: (arrival) => this.#arrive(arrival),
    });
    this.#node = this.#listener.node;
    this.#own = this.#node.listeners('secureConnection');
    this.#node.maxRequestsPerSocket = 0;
    // All headers are kept: Node would silently drop the rest.
    this.#node.maxHeadersCount = 0;
    const isRetiring = () => this.#isRetiring;
    this.#table = new ConnectionTable(
      limits,
      {
        get isRetiring() {
          return isRetiring();
        },
        limits,
        goawayChance: options.http2?.goawayChance ?? 0,
        endsAnonymous: options.http2?.endsAnonymous ?? false,
        scheduler: options.scheduler,
        answers: this.#answers,
        bodies: this.#bodies,
        heads: this.#heads,
        handle: (exchange, refused) => this.#handle(exchange, refused),
        busyChanged: (connection) => this.#table.busyChanged(connection),
        identified: (connection) => this.#table.identified(connection),
        working: (exchange) => this.#watchdog.working(exchange),
        acted: (limit, what, details) => this.#log.acted(limit, what, details),
        headRefused: (connection) => this.#refuseHead(connection),
      },
      this.#log,
    );
    this.#watchdog = new LoopWatchdog(limits.slowTurn, options.scheduler, logger);
    this.#slowClients = new SlowClients(() => this.#table.connections, limits, this.#answers);
    this.#listenToEvents();
  }

  /** Resolves with the port. Rejects with a one-sentence error if Node.js lacks something, or the server cannot listen on the address. */
  async listen(): Promise<number> {
    const {bindAddress, port, source} = this.#options;
    await verifyNode();
    if (this.#options.http2) await this.#divertHttp2();
    if (source) return this.#takeFrom(source);
    try {
      const chosen = await this.#listener.listen(port, bindAddress);
      this.#started();
      return chosen;
    } catch (error) {
      throw new Error(listenProblem(error as NodeJS.ErrnoException, bindAddress, port), {cause: error});
    }
  }

  /**
   * Others take this server's place: each connection ends with the answer to its next request, so that no client loses one that it sent while
   * the connection was being closed. Watches end as when their time is over. Resolves when none is left, at the latest after `graceMillis`.
   */
  async retire(graceMillis: number): Promise<void> {
    this.#retiring = true;
    for (const connection of this.#table.connections) {
      connection.retire();
      for (const exchange of connection.unfinished) exchange.whenRetiring?.();
    }
    const timeout = Promise.withResolvers<void>();
    const timer = setTimeout(timeout.resolve, graceMillis);
    await Promise.race([this.#table.emptied(), timeout.promise]);
    clearTimeout(timer);
  }

  /** Cuts the connections of all watches without a word to their clients, as a network does. */
  cutWatches(): void {
    for (const connection of this.#table.connections) {
      const watches = [...connection.unfinished].filter(({whenRetiring}) => whenRetiring !== undefined);
      // That of a WebSocket belongs to no response any more.
      for (const {request} of watches) request.socket.destroy();
    }
  }

  /**
   * Accepts no further connections and closes idle ones. Requests in progress may finish within `graceMillis`; then their connections are
   * closed. A busy connection ends with its current response.
   */
  async close(graceMillis: number): Promise<void> {
    this.#closing = true;
    const closed = Promise.all([this.#table.emptied(), closeListener(this.#node)]);
    for (const connection of this.#table.connections) connection.end();
    for (const transport of this.#table.transports) if (transport.bytesRead === 0) transport.destroy();
    const timer = setTimeout(() => {
      for (const transport of this.#table.transports) transport.destroy();
    }, graceMillis);
    await closed;
    clearTimeout(timer);
    this.#slowClients.stop();
    this.#watchdog.stop();
    this.#listener.stop();
  }

  /**
   * New connections get these certificates. Existing connections continue, but client certificates on them whose CA is no longer trusted no
   * longer authenticate.
   *
   * @throws Error if they cannot be used, in which case nothing changes
   */
  replaceCertificates({cert, key, ca, authorities, protocol, named}: TlsMaterial): void {
    // A new context has new resumption keys, so no session that the former one verified can be resumed.
    (this.#node as NodeServer & Pick<TlsServer, 'setSecureContext'>).setSecureContext({cert, key, ca: [...ca], ...protocol});
    this.#named = named;
    this.#authorities = authorities;
    for (const {socket} of this.#table.connections) withdrawUntrusted(socket, authorities);
  }

  /** The current figures, and counts since the server was created. */
  get figures(): HttpFigures {
    return {
      connections: this.#table.size,
      unsentBytes: this.#answers.used,
      bodyBytes: this.#bodies.used,
      headBytes: this.#heads.used,
      limitsActed: this.#log.totals(),
      loop: this.#watchdog.figures,
    };
  }

  #started(): void {
    this.#node.on('error', (error) => this.#options.logger.error({err: error}, 'HTTP server error'));
    this.#slowClients.start();
    this.#watchdog.start();
  }

  #takeFrom(source: ConnectionSource): number {
    expectConnections(this.#node);
    this.#started();
    source.start((socket) => {
      if (this.#closing) return void socket.destroy();
      socket.setNoDelay(true);
      socket.setKeepAlive(true, aliveMillis);
      handConnection(this.#node, socket);
    });
    return source.port;
  }

  #listenToEvents(): void {
    const {limits} = this.#options;
    const node = this.#node;
    node.on('connection', (transport: Socket) => this.#table.accept(transport));
    boundHeads<TLSSocket>(node, 'secureConnection', ({authorized}) =>
      authorized ? limits.maxHeaderBytesWithCertificate : limits.maxHeaderBytes,
    );
    node.on('secureConnection', (socket: TLSSocket) => {
      // Its handshake may have begun before the CAs were replaced.
      if (this.#authorities) withdrawUntrusted(socket, this.#authorities);
      // Its handshake may have been under way when the server began to close.
      if (this.#closing) socket.destroySoon();
      else if (speaksHttp2(socket)) void this.#serveHttp2(socket);
      else this.#table.secure(socket, Connection);
    });
    node.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
      answerBrokenRequest(error, socket, this.#table.of(socket), limits, this.#log),
    );
  }

  /** Loaded only where HTTP/2 is offered. */
  async #divertHttp2(): Promise<void> {
    const {divertConnections, http2Hooks} = await import('./node/divert-connections.js');
    await verifyNode(http2Hooks);
    divertConnections<TLSSocket>(this.#node, 'secureConnection', this.#own, speaksHttp2);
  }

  async #serveHttp2(socket: TLSSocket): Promise<void> {
    try {
      const {Http2Connection} = await (this.#http2 ??= import('./http2/http2-connection.js'));
      if (this.#closing) socket.destroy();
      else this.#table.secure(socket, Http2Connection);
    } catch (error) {
      this.#options.logger.error({err: error}, 'a connection of HTTP/2 could not be served');
      socket.destroy();
    }
  }

  #arrive(arrival: Arrival): void {
    const {socket} = arrival.request;
    const connection = this.#table.of(socket);
    if (connection) connection.arrive(arrival);
    else socket.destroy();
  }

  get #isRetiring(): boolean {
    return this.#closing || this.#retiring;
  }

  /** A bug of this server, but no reason to end: without a listener Node would end the process. */
  readonly #unwritten = (error: Error): void => {
    this.#options.logger.error({err: error}, 'an answer could not be written');
  };

  #refuseHead(connection: Connection): void {
    const code = this.#heads.isFull ? headsFull.inAll : headsFull.perAddress;
    answerBrokenRequest({code}, connection.socket, connection, this.#options.limits, this.#log);
  }

  #handle(exchange: Exchange, refused: Refusal | undefined): Promise<void> | undefined {
    const {logger, handle} = this.#options;
    this.#watchdog.working(exchange, exchange.startedAt);
    if (this.#isRetiring) exchange.carrier.endsWith(exchange, false);
    exchange.isRetiring = this.#retiring;
    exchange.response.on('error', this.#unwritten);
    if (refused) {
      if (refused.limit) this.#log.acted(refused.limit, 'a request was refused', {path: exchange.path.slice(0, 200)});
      refuse(exchange, refused);
      return undefined;
    }
    return handle(exchange).catch((error: unknown) => {
      logger.error({id: exchange.id, err: error}, 'request handling failed');
      exchange.carrier.cut();
    });
  }
}

function speaksHttp2({alpnProtocol}: TLSSocket): boolean {
  return alpnProtocol === http2;
}

/** Why an address cannot be listened on, in one sentence. */
export function listenProblem(error: NodeJS.ErrnoException, address: string, port: number): string {
  if (error.code === 'EADDRINUSE')
    return `port ${port} on ${address} is in use: stop the other server or choose another port with --secure-port`;
  if (error.code === 'EACCES') return `port ${port} on ${address} needs more rights: choose one above 1023 with --secure-port`;
  if (error.code === 'EADDRNOTAVAIL') return `${address} is not an address of this machine: choose another with --bind-address`;
  return `cannot listen on ${address}:${port}: ${error.message}`;
}
