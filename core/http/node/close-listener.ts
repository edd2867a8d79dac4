import type {Server} from 'node:http';
import process from 'node:process';
import {expect, turn, type Hook} from './hook.js';

/** Ends the listener and nothing else: the HTTP server's own `close` also destroys connections whose response is complete but not yet sent. */
export function closeListener(server: Server): Promise<void> {
  const {Server: NetServer} = process.getBuiltinModule('node:net');
  return new Promise((resolve) => NetServer.prototype.close.call(server, () => resolve()));
}

export const closeListenerHook: Hook = {
  name: 'close-listener',
  claim: 'a listener can be closed without its connections',
  async probe(bench) {
    const connection = await bench.connect();
    const {response} = await connection.request('GET / HTTP/1.1\r\nHost: probe\r\n\r\n');
    response.end();
    void closeListener(bench.server);
    await turn();
    expect(!bench.server.listening, 'it still listens');
    expect(!connection.socket.destroyed, 'a connection was closed with it');
  },
};
