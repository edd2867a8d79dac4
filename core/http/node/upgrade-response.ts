import type {IncomingMessage, ServerResponse} from 'node:http';
import type {Socket} from 'node:net';
import process from 'node:process';
import {PassThrough} from 'node:stream';
import {makeLast} from './last-answer.js';
import {expect, type Hook} from './hook.js';

/** A response to a request for an upgrade, for which Node makes none. It belongs to no connection yet, and is the last one on its connection. */
export function upgradeResponse(request: IncomingMessage): ServerResponse {
  const {ServerResponse: NodeResponse} = process.getBuiltinModule('node:http');
  const response = new NodeResponse(request);
  makeLast(response);
  return response;
}

/** Assigns a connection to its response. It flows once it has a listener, as Node leaves it, even if it was paused before. */
export function beginUpgrade(response: ServerResponse, socket: Socket): void {
  (socket as {readableFlowing: boolean | null}).readableFlowing = null;
  response.assignSocket(socket);
}

/** Takes a connection away from its response: nothing more is written through that. @returns a function that gives it back */
export function detachResponse(response: ServerResponse, socket: Socket): () => void {
  const listeners = response.listeners('finish') as (() => void)[];
  response.removeAllListeners('finish');
  response.detachSocket(socket);
  return () => {
    response.assignSocket(socket);
    for (const listener of listeners) response.once('finish', listener);
  };
}

export const upgradeResponseHook: Hook = {
  name: 'upgrade-response',
  claim: 'an answer can be given a connection, and loses it again; the connection flows once somebody listens',
  probe() {
    const response = upgradeResponse({method: 'GET', httpVersionMajor: 1, httpVersionMinor: 1} as IncomingMessage);
    // What is written to it can be read from it.
    const socket = new PassThrough() as unknown as Socket;
    socket.pause();
    beginUpgrade(response, socket);
    detachResponse(response, socket)();
    expect(response.socket === socket, 'the answer was not given its connection');
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    expect(socket.readableFlowing === true, 'the connection stays paused');
    response.end();
    socket.read();
    expect(/^HTTP\/1\.1 200 OK\r\n[^]*Connection: close\r\n/.test(text), `the answer was ${JSON.stringify(text.slice(0, 40))}`);
  },
};
