import {randomUUID} from 'node:crypto';
import {EventEmitter} from 'node:events';
import type {IncomingMessage, Server as NodeServer, ServerResponse} from 'node:http';
import {Server as NetServer, type AddressInfo, type Socket} from 'node:net';
import process from 'node:process';
import type {ServerOptions as TlsOptions} from 'node:https';
// The package's main module also loads its router and all its plugins, for another 60 ms and 15 MB.
import RestifyServer from 'restify/lib/server.js';
import type {Logger} from '../../sdk/index.js';
import {Exchange, type Upgrade} from './exchange.js';
import {keepReading} from './keep-reading.js';

export interface HttpServerOptions {
  readonly bindAddress: string;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly tls: TlsOptions;
  readonly logger: Logger;
  /** Serves one request; must not reject. */
  readonly handle: (exchange: Exchange) => Promise<void>;
}

// An import of this module reads all its members, and one of them loads the HTTP client behind `fetch`: 15 ms and 8 MB.
const http = process.getBuiltinModule('node:http');

/** Times after which a connection that makes no progress is closed, in milliseconds. */
const headersTimeout = 20_000;
const requestTimeout = 65_000;
const keepAliveTimeout = 120_000;
/** Most bytes of a request's line and headers. Clients count on it: selectors name thousands of values, tokens carry hundreds of groups. */
const maxHeaderSize = 1 << 20;

/**
 * The TLS server. restify owns the listening socket, TLS and its life; routing and writing are ours, since its router and
 * formatters cost half of the throughput. This is the only file that knows restify.
 */
export class HttpServer {
  readonly #server: RestifyServer;
  readonly #node: NodeServer;
  /** Open connections below TLS, those that have not yet agreed on it among them. */
  readonly #connections = new Set<Socket>();
  /** Connections that have agreed on TLS, each with the answer to its latest request. */
  readonly #sockets = new Map<Socket, ServerResponse | undefined>();
  /** By connection: the requests whose answers have not been sent. */
  readonly #unfinished = new WeakMap<Socket, Set<Exchange>>();
  #closing = false;

  constructor(private readonly options: HttpServerOptions) {
    this.#server = new RestifyServer({
      name: 'orch',
      log: options.logger,
      // Never asked for a route, since no request comes past `first`.
      router: new EventEmitter(),
      httpsServerOptions: {...options.tls, headersTimeout, requestTimeout, keepAliveTimeout, maxHeaderSize, noDelay: true, keepAlive: true},
      handleUncaughtExceptions: false,
    });
    this.#node = this.#server.server;
    this.#node.maxRequestsPerSocket = 0;
    this.#server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => this.#acceptUpgrade(request, socket, head));
    this.#node.on('connection', (socket: Socket) => {
      this.#connections.add(socket);
      socket.once('close', () => this.#connections.delete(socket));
    });
    this.#node.on('secureConnection', (socket: Socket) => this.#track(socket));
    this.#server.first((request: unknown, response: unknown) => {
      this.#accept(request as IncomingMessage, response as ServerResponse);
      return false;
    });
  }

  /** Resolves with the port. Rejects with a one-sentence error when the address cannot be had. */
  listen(): Promise<number> {
    const {bindAddress, port} = this.options;
    return new Promise((resolve, reject) => {
      const fail = (error: NodeJS.ErrnoException) => reject(new Error(listenProblem(error, bindAddress, port), {cause: error}));
      this.#node.once('error', fail);
      this.#server.listen(port, bindAddress, () => {
        this.#node.off('error', fail);
        this.#node.on('error', (error) => this.options.logger.error({err: error}, 'HTTP server error'));
        resolve((this.#node.address() as AddressInfo).port);
      });
    });
  }

  /**
   * Takes no further connections and ends idle ones; what is under way may finish within `graceMillis`, then it is cut. Connections end with the
   * answer that is under way on them.
   */
  async close(graceMillis: number): Promise<void> {
    this.#closing = true;
    // Only the listener: the HTTP server's own `close` also destroys connections whose answer is complete but not yet sent.
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(this.#node, () => resolve()));
    for (const [socket, response] of this.#sockets) endWithAnswer(socket, response);
    for (const socket of this.#connections) if (socket.bytesRead === 0) socket.destroy();
    const timer = setTimeout(() => {
      for (const socket of this.#connections) socket.destroy();
    }, graceMillis);
    await closed;
    clearTimeout(timer);
    this.#server.close(() => undefined);
  }

  /** Upgrades go the way of all requests; what answers one in the ordinary way ends the connection with it. */
  #acceptUpgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const response = new http.ServerResponse(request);
    response.assignSocket(socket);
    response.shouldKeepAlive = false;
    response.once('finish', () => socket.end());
    socket.on('error', () => socket.destroy());
    this.#accept(request, response, {socket, head});
  }

  #accept(request: IncomingMessage, response: ServerResponse, upgrade?: Upgrade): void {
    keepReading(request.socket);
    if (this.#closing) response.setHeader('Connection', 'close');
    this.#sockets.set(request.socket, response);
    const exchange = new Exchange(randomUUID(), request, response, upgrade);
    this.#followToEnd(exchange);
    this.options.handle(exchange).catch((error: unknown) => {
      this.options.logger.error({id: exchange.id, err: error}, 'request handling failed');
      response.destroy();
    });
  }

  /** Of answers that wait behind others on their connection Node does not tell that it was closed. */
  #followToEnd(exchange: Exchange): void {
    const unfinished = this.#unfinished.get(exchange.socket);
    if (!unfinished) return exchange.finish();
    unfinished.add(exchange);
    exchange.response.once('finish', () => {
      unfinished.delete(exchange);
      exchange.finish();
    });
  }

  #track(socket: Socket): void {
    // Its handshake was under way when the server began to close.
    if (this.#closing) return socket.destroySoon();
    const unfinished = new Set<Exchange>();
    this.#sockets.set(socket, undefined);
    this.#unfinished.set(socket, unfinished);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#unfinished.delete(socket);
      for (const exchange of unfinished) {
        exchange.abort();
        exchange.finish();
      }
    });
  }
}

/** Ends a connection once the answer that is under way on it has been sent; at once when there is none. */
function endWithAnswer(socket: Socket, response: ServerResponse | undefined): void {
  if (!response || response.writableFinished) return socket.destroySoon();
  response.shouldKeepAlive = false;
  response.once('finish', () => socket.destroySoon());
}

function listenProblem(error: NodeJS.ErrnoException, address: string, port: number): string {
  if (error.code === 'EADDRINUSE')
    return `port ${port} on ${address} is in use: stop the other server or choose another port with --secure-port`;
  if (error.code === 'EACCES') return `port ${port} on ${address} needs more rights: choose one above 1023 with --secure-port`;
  if (error.code === 'EADDRNOTAVAIL') return `${address} is not an address of this machine: choose another with --bind-address`;
  return `cannot listen on ${address}:${port}: ${error.message}`;
}
