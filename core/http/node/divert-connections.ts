import type {Server} from 'node:http';
import type {Socket} from 'node:net';
import process from 'node:process';
import {Duplex} from 'node:stream';
import {expect, type Hook} from './hook.js';

/**
 * Keeps connections from Node's HTTP/1.1 server: its own listener, which gives each one a parser, hears only of the others. Those of everybody else hear of all,
 * in their order.
 *
 * @param event with which Node's HTTP server takes a connection on
 * @param own who listened to it before anybody else did
 * @param isOther whether a connection speaks another protocol
 */
export function divertConnections<S extends Socket>(
  server: Server,
  event: 'connection' | 'secureConnection',
  own: readonly unknown[],
  isOther: (socket: S) => boolean,
): void {
  const all = server.listeners(event) as ((socket: Socket) => void)[];
  server.removeAllListeners(event);
  for (const listener of all) {
    if (!own.includes(listener)) server.on(event, listener);
    else
      server.on(event, (socket: Socket) => {
        if (!isOther(socket as S)) listener.call(server, socket);
      });
  }
}

export const divertConnectionsHook: Hook = {
  name: 'divert-connections',
  claim: "a connection that is kept from the listener of Node's HTTP server has no parser, and each other one has",
  probe() {
    const {createServer} = process.getBuiltinModule('node:http');
    const server = createServer();
    const own = server.listeners('connection');
    let heard = 0;
    server.on('connection', () => (heard += 1));
    const open = () => new Duplex({read: () => undefined, write: (_chunk, _encoding, done) => done()});
    const [kept, served] = [open(), open()];
    divertConnections(server, 'connection', own, (socket) => socket === (kept as unknown as Socket));
    try {
      for (const connection of [kept, served]) server.emit('connection', connection);
      expect(kept.listenerCount('data') === 0, 'a connection was read that was kept');
      expect(served.listenerCount('data') === 1, 'a connection was not read');
      expect(heard === 2, `others heard of ${heard} connections`);
    } finally {
      kept.destroy();
      served.destroy();
      server.close();
    }
  },
};

/** What only HTTP/2 builds on: loaded and proven where it is offered. */
export const http2Hooks: readonly Hook[] = [divertConnectionsHook];
