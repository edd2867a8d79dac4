import type {Server} from 'node:http';
import process from 'node:process';
import {Duplex} from 'node:stream';
import {expect, type Hook} from './hook.js';

/** Lets a server serve connections accepted elsewhere, with the same timeouts as if it listened itself. */
export function expectConnections(server: Server): void {
  server.emit('listening');
}

/** Serves a connection accepted elsewhere. */
export function handConnection(server: Server, connection: Duplex): void {
  server.emit('connection', connection);
}

export const handedConnectionsHook: Hook = {
  name: 'handed-connections',
  claim: 'a server that does not listen checks the time of the connections that it is given',
  async probe() {
    const {createServer} = process.getBuiltinModule('node:http');
    const server = createServer({connectionsCheckingInterval: 1, headersTimeout: 1, requestTimeout: 2});
    const failed = new Promise<NodeJS.ErrnoException>((resolve) => server.once('clientError', resolve));
    const silent = new Duplex({read: () => undefined, write: (_chunk, _encoding, done) => done()});
    try {
      expectConnections(server);
      handConnection(server, silent);
      const {code} = await failed;
      expect(code === 'ERR_HTTP_REQUEST_TIMEOUT', `a connection without a request is ${String(code)}`);
    } finally {
      silent.destroy();
      server.close();
    }
  },
};
