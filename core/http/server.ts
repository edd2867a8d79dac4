import {randomUUID} from 'node:crypto';
import {ServerResponse, type IncomingMessage, type Server as NodeServer} from 'node:http';
import type {AddressInfo, Socket} from 'node:net';
import type {ServerOptions as TlsOptions} from 'node:https';
import restify, {type Server as RestifyServer} from 'restify';
import type {Logger} from '../../sdk/index.js';
import {Exchange, type Upgrade} from './exchange.js';

export interface HttpServerOptions {
  readonly bindAddress: string;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly tls: TlsOptions;
  readonly logger: Logger;
  /** Serves one request; must not reject. */
  readonly handle: (exchange: Exchange) => Promise<void>;
}

/** Times after which a connection that makes no progress is closed, in milliseconds. */
const headersTimeout = 20_000;
const requestTimeout = 65_000;
const keepAliveTimeout = 120_000;

/**
 * The TLS server. restify owns the listening socket, TLS and its life; routing and writing are ours, since its router and
 * formatters cost half of the throughput. This is the only file that knows restify.
 */
export class HttpServer {
  readonly #server: RestifyServer;
  readonly #node: NodeServer;
  readonly #sockets = new Set<Socket>();
  #closing = false;

  constructor(private readonly options: HttpServerOptions) {
    this.#server = restify.createServer({
      name: 'orch',
      httpsServerOptions: {...options.tls, headersTimeout, requestTimeout, keepAliveTimeout, noDelay: true, keepAlive: true},
      handleUncaughtExceptions: false,
    });
    this.#node = this.#server.server as NodeServer;
    this.#node.maxRequestsPerSocket = 0;
    this.#server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => this.#acceptUpgrade(request, socket, head));
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

  /** Takes no further connections and ends idle ones; what is under way may finish within `graceMillis`, then it is cut. */
  async close(graceMillis: number): Promise<void> {
    this.#closing = true;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#node.closeIdleConnections();
    const timer = setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy();
    }, graceMillis);
    await closed;
    clearTimeout(timer);
  }

  /** Upgrades go the way of all requests; what answers one in the ordinary way ends the connection with it. */
  #acceptUpgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const response = new ServerResponse(request);
    response.assignSocket(socket);
    response.shouldKeepAlive = false;
    response.once('finish', () => socket.end());
    socket.on('error', () => socket.destroy());
    this.#accept(request, response, {socket, head});
  }

  #accept(request: IncomingMessage, response: ServerResponse, upgrade?: Upgrade): void {
    if (this.#closing) response.setHeader('Connection', 'close');
    const exchange = new Exchange(randomUUID(), request, response, upgrade);
    this.options.handle(exchange).catch((error: unknown) => {
      this.options.logger.error({id: exchange.id, err: error}, 'request handling failed');
      response.destroy();
    });
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }
}

function listenProblem(error: NodeJS.ErrnoException, address: string, port: number): string {
  if (error.code === 'EADDRINUSE') return `port ${port} on ${address} is in use: stop the other server or choose another port with --secure-port`;
  if (error.code === 'EACCES') return `port ${port} on ${address} needs more rights: choose one above 1023 with --secure-port`;
  if (error.code === 'EADDRNOTAVAIL') return `${address} is not an address of this machine: choose another with --bind-address`;
  return `cannot listen on ${address}:${port}: ${error.message}`;
}
