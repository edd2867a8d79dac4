import {connect as connectTcp} from 'node:net';
import type {Duplex} from 'node:stream';
import {connect as connectTls} from 'node:tls';
import {serviceUnavailable, StatusError, internalError, type ConnectRequest} from '../../../sdk/index.js';
import {hostText, tlsOptions, type Backend} from './backend.js';
import {forwardedHeaders} from './forwarded-headers.js';

/**
 * Forwards a connection to another server that is to switch its protocol. The server's response and everything after it pass through
 * unread. Resolves when both sides have ended.
 *
 * @throws StatusError 503 if the server cannot be reached
 */
export async function forwardUpgrade(request: ConnectRequest, client: Duplex, head: Buffer, backend: Backend): Promise<void> {
  const server = await open(backend, request.signal);
  server.write(requestHead(request, backend));
  if (head.length > 0) server.write(head);
  await new Promise<void>((resolve) => {
    const end = () => {
      client.destroy();
      server.destroy();
      resolve();
    };
    // If one side ends or fails, so does the other: half a tunnel is useless.
    for (const side of [client, server]) side.on('error', end).on('close', end);
    request.signal.addEventListener('abort', end, {once: true});
    client.pipe(server);
    server.pipe(client);
  });
}

/** Sends an error to a client whose connection was taken over, in the form of an ordinary response. */
export function refuseUpgrade(client: Duplex, error: unknown): void {
  const status = (StatusError.is(error) ? error : internalError('the connection could not be made', {cause: error})).toStatus();
  const body = JSON.stringify(status);
  client.end(
    `HTTP/1.1 ${status.code} ${status.reason ?? 'Error'}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function open(backend: Backend, signal: AbortSignal): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const {host, port} = backend;
    const socket = backend.protocol === 'https' ? connectTls({host, port, ...tlsOptions(backend)}) : connectTcp({host, port});
    const abort = () => socket.destroy(new Error('the client has gone'));
    const fail = (error: Error) => {
      signal.removeEventListener('abort', abort);
      reject(serviceUnavailable(`error trying to reach service: ${error.message}`, 1, {cause: error}));
    };
    signal.addEventListener('abort', abort, {once: true});
    socket.once('error', fail);
    socket.once(backend.protocol === 'https' ? 'secureConnect' : 'connect', () => {
      signal.removeEventListener('abort', abort);
      socket.off('error', fail);
      resolve(socket);
    });
  });
}

function requestHead({incoming, method}: ConnectRequest, backend: Backend): string {
  const headers = {...forwardedHeaders(incoming, hostText(backend)), connection: 'Upgrade', upgrade: incoming.headers.upgrade ?? ''};
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((text) => `${name}: ${text}`),
  );
  return `${method} ${backend.path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}
