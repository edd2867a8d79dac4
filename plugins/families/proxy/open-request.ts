import type {ClientRequest, IncomingMessage} from 'node:http';
import {request as httpsRequest} from 'node:https';
import type {Socket} from 'node:net';
import process from 'node:process';
import {readInSmallParts} from '../../../sdk/net/index.js';
import {tlsOptions, type Backend} from './backend.js';
import {forwardedHeaders} from './forwarded-headers.js';

// An import of this module would read all its members, and one of them loads the HTTP client behind `fetch`, which is not needed here.
const http = process.getBuiltinModule('node:http');

/** Maximum number of 1xx responses before the final one, the same as Go's client accepts. */
const maximumInterimAnswers = 5;
/** Until a connection stands, TLS included: a watch has no other limit. */
const connectMillis = 30_000;

/** What is handed on of a request. */
export interface ForwardedRequest {
  readonly method: string;
  readonly incoming: IncomingMessage;
  /** Fires when the client has disconnected or the request has timed out. */
  readonly signal: AbortSignal;
}

/**
 * The head of a request at another server; nothing of its body is written yet.
 *
 * @param isUpgrade whether it asks for another protocol, as the client has done
 * @throws Error for headers that cannot be sent
 */
export function openRequest({incoming, method, signal}: ForwardedRequest, backend: Backend, isUpgrade: boolean): ClientRequest {
  const open = backend.protocol === 'https' ? httpsRequest : http.request;
  const outgoing = open({
    host: backend.host,
    port: backend.port,
    path: backend.path,
    method,
    headers: forwardedHeaders(incoming, backend, isUpgrade),
    signal,
    // No pool, unless it is the backend's own: the next request may be for another machine at the same address.
    agent: backend.agent ?? false,
    ...(backend.protocol === 'https' && !backend.agent ? tlsOptions(backend) : {}),
  });
  outgoing.on('socket', (socket) => {
    limitConnecting(outgoing, socket, backend.protocol === 'https' ? 'secureConnect' : 'connect');
    outgoing.once('response', readInSmallParts(socket));
  });
  let interim = 0;
  outgoing.on('information', () => {
    if (++interim > maximumInterimAnswers) outgoing.destroy(new Error(`more than ${maximumInterimAnswers} interim answers`));
  });
  return outgoing;
}

function limitConnecting(outgoing: ClientRequest, socket: Socket, established: string): void {
  if (!socket.connecting) return;
  const timer = setTimeout(() => outgoing.destroy(new Error(`no connection within ${connectMillis / 1000} s`)), connectMillis);
  const stop = () => clearTimeout(timer);
  socket.once(established, stop).once('close', stop);
}
