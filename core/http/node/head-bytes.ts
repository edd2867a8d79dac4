import type {Server} from 'node:http';
import type {Socket} from 'node:net';
import {expect, type Hook} from './hook.js';

/**
 * Limits the heads of requests on each connection by what is known of it when it begins. The parser of a connection is made by a listener that Node
 * has put behind this one.
 *
 * @param event with which Node's HTTP server takes a connection on
 */
export function boundHeads<S extends Socket>(
  server: Server,
  event: 'connection' | 'secureConnection',
  bytesOf: (socket: S) => number,
): void {
  server.prependListener(event, (socket: Socket) => {
    (server as Server & {maxHeaderSize: number}).maxHeaderSize = bytesOf(socket as S);
  });
}

export const headBytesHook: Hook = {
  name: 'head-bytes',
  claim: 'the parser of a connection takes its bound on heads from the server when the connection begins',
  async probe(bench) {
    const connection = await bench.connect(100);
    connection.send(`GET / HTTP/1.1\r\nHost: probe\r\nX-Padding: ${'x'.repeat(200)}\r\n`);
    const failure = await connection.failure;
    expect(failure === 'HPE_HEADER_OVERFLOW', `a head that is too large is ${failure}`);
  },
};
