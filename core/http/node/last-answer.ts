import type {ServerResponse} from 'node:http';
import type {Socket} from 'node:net';
import {expect, type Hook} from './hook.js';

/**
 * Milliseconds that a client which is still sending gets to read the response: if the connection were closed at once, its operating system
 * would discard the response.
 */
const lingerMillis = 500;

/** Ends a connection after what has been written to it, and discards further input for a moment. */
export function endAndLinger(socket: Socket): void {
  socket.end();
  socket.resume();
  setTimeout(() => socket.destroy(), lingerMillis).unref();
}

/** Makes a connection end this way when Node ends it after a response with `Connection: close`. */
export function lingerAtEnd(socket: Socket): void {
  socket.destroySoon = () => endAndLinger(socket);
}

/** A response whose head has not been sent is the last one on its connection, and says so. */
export function makeLast(response: ServerResponse): void {
  response.shouldKeepAlive = false;
}

export const lastAnswerHook: Hook = {
  name: 'last-answer',
  claim: 'Node ends a connection after its last answer, as long as the client has to read it',
  async probe(bench) {
    const connection = await bench.connect();
    const {socket} = connection;
    lingerAtEnd(socket);
    const {response} = await connection.request('GET / HTTP/1.1\r\nHost: probe\r\n\r\n');
    makeLast(response);
    const sent = new Promise((resolve) => response.once('finish', resolve));
    response.end();
    const said = response.getHeader('connection');
    await sent;
    expect(socket.writableEnded, `the connection goes on after an answer with Connection: ${String(said)}`);
    expect(!socket.destroyed, 'the connection was closed at once');
  },
};
