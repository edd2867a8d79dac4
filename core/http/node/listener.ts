import {EventEmitter} from 'node:events';
import type {IncomingMessage, Server as NodeServer, ServerResponse} from 'node:http';
import type {ServerOptions as TlsOptions} from 'node:https';
import type {AddressInfo, Socket} from 'node:net';
import process from 'node:process';
// The package's main module also loads its router and all its plugins, for another 60 ms and 15 MB.
import RestifyServer from 'restify/lib/server.js';
import {chainWriteHead} from './answer-head.js';
import {expect, type Arrival, type Hook} from './hook.js';
import {upgradeResponse} from './upgrade-response.js';

export interface ListenerOptions {
  readonly name: string;
  /** Handed to restify's own handlers, none of which is called. */
  readonly log: object;
  readonly tls?: TlsOptions;
  /** Called with each request, before Node goes on with its connection. */
  readonly arrive: (arrival: Arrival) => void;
}

// An import of this module reads all its members, and one of them loads the HTTP client behind `fetch`: 15 ms and 8 MB.
const {ServerResponse: NodeResponse} = process.getBuiltinModule('node:http');
chainWriteHead(NodeResponse.prototype);

/**
 * restify's server: it owns the listening socket, TLS and their lifecycle. Routing and writing are ours, since its router and formatters
 * cost half of the throughput. Only this file uses restify.
 */
export class Listener {
  readonly node: NodeServer;
  readonly #restify: RestifyServer;

  constructor({name, log, tls, arrive}: ListenerOptions) {
    this.#restify = new RestifyServer({
      name,
      log,
      // Never asked for a route, since no request gets past `first`.
      router: new EventEmitter(),
      ...(tls ? {httpsServerOptions: tls} : {}),
      handleUncaughtExceptions: false,
    });
    this.node = this.#restify.server;
    this.node.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => arrive({request, response}));
    this.#restify.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
      // Behind an unsent response, Node would write it between the headers and the body of that response. It may be left out (RFC 9110,
      // 10.1.1).
      if (response.socket) response.writeContinue();
      arrive({request, response});
    });
    this.#restify.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      socket.on('error', () => socket.destroy());
      arrive({request, response: upgradeResponse(request), upgrade: {socket, head}});
    });
    this.#restify.first((request: unknown, response: unknown) => {
      arrive({request: request as IncomingMessage, response: response as ServerResponse});
      return false;
    });
  }

  /** Resolves with the port. Rejects with Node's error if the address cannot be listened on. */
  listen(port: number, host: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.node.once('error', reject);
      this.#restify.listen(port, host, () => {
        this.node.off('error', reject);
        resolve((this.node.address() as AddressInfo).port);
      });
    });
  }

  /** Ends the listener, if it still listens, and its timers. Connections that wait for a request are closed. */
  stop(): void {
    this.#restify.close(() => undefined);
  }
}

export const listenerHook: Hook = {
  name: 'listener',
  claim: 'a request comes to the first handler of restify, which leaves its answer alone',
  async probe(bench) {
    const connection = await bench.connect();
    const {response} = await connection.request('GET / HTTP/1.1\r\nHost: probe\r\n\r\n');
    const untouched = !response.headersSent && response.getHeaderNames().length === 0;
    response.end();
    expect(untouched, 'restify has written headers');
    connection.release();
  },
};
