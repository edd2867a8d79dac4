import type {Socket} from 'node:net';
import {expect, type Hook} from './hook.js';

/**
 * Undoes a pause that Node puts on a connection when a request arrives before the answer to the one before it has left the process: over
 * TLS, what was received together with the request's head still reaches the parser, which takes it as an error and drops the connection
 * (Node 22 and 24). Large responses followed by large requests, as with `kubectl apply` of definitions, sometimes trigger this. To be
 * called while the request is being announced. `Connection` decides how much may arrive ahead of the responses.
 */
export function undoSocketPause(socket: Socket): void {
  const connection = socket as Socket & {_paused?: boolean};
  if (!connection._paused) return;
  connection._paused = false;
  socket.resume();
}

/** More than a socket takes before it asks its writer to wait. */
const largeAnswer = Buffer.alloc(128 * 1024);

export const undoSocketPauseHook: Hook = {
  name: 'undo-socket-pause',
  claim: "Node's pause of a connection with unsent answers is seen, and can be undone",
  async probe(bench) {
    const connection = await bench.connect();
    const {socket} = connection;
    const paused = () => (socket as Socket & {_paused?: boolean})._paused;
    const text = 'GET / HTTP/1.1\r\nHost: probe\r\n\r\n';
    let atSecond: boolean | undefined;
    connection.onArrival = ({response}, number) => {
      if (number === 1) response.write(largeAnswer);
      if (number !== 2) return;
      atSecond = paused();
      undoSocketPause(socket);
    };
    const first = await connection.request(text + text);
    const second = await connection.request('');
    expect(atSecond === true, `the connection's state is ${String(atSecond)}`);
    expect(paused() === false && !socket.isPaused(), 'the connection is still paused');
    const third = await connection.request(text);
    for (const {response} of [first, second, third]) response.end();
    connection.release();
  },
};
