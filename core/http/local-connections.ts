import type {IncomingMessage, Server, ServerResponse} from 'node:http';
import process from 'node:process';
import {duplexPair, type Duplex} from 'node:stream';
import {handConnection} from './node/handed-connections.js';

/** Answers HTTP on connections within the process. */
export interface LocalHandlers {
  handle(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** An HTTP server without a socket: its connections are pairs of streams. It is made for the first one. */
export class LocalConnections {
  readonly #handlers: LocalHandlers;
  readonly #open = new Set<Duplex>();
  #server: Server | undefined;

  constructor(handlers: LocalHandlers) {
    this.#handlers = handlers;
  }

  /** A new connection to the server. */
  connect(): Duplex {
    const [client, own] = duplexPair();
    this.#open.add(own);
    // Whichever side goes, the other has nobody to talk to.
    client.once('close', () => own.destroy());
    own.once('close', () => {
      this.#open.delete(own);
      client.destroy();
    });
    handConnection((this.#server ??= this.#make()), own);
    return client;
  }

  close(): void {
    for (const connection of this.#open) connection.destroy();
  }

  #make(): Server {
    // An import of this module reads all its members, and one of them loads the HTTP client behind `fetch`.
    const {createServer} = process.getBuiltinModule('node:http');
    const server = createServer((request, response) => this.#handlers.handle(request, response));
    return server.on('upgrade', (request, socket: Duplex, head: Buffer) => this.#handlers.upgrade(request, socket, head));
  }
}
