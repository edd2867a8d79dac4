import type {IncomingMessage} from 'node:http';
import type {OutgoingRequest, StreamedBody} from '../../../sdk/https/index.js';
import {tlsOptions, type Backend} from './backend.js';
import {forwardedHeaders} from './forwarded-headers.js';

/** What is handed on of a request. */
export interface ForwardedRequest {
  readonly method: string;
  readonly incoming: IncomingMessage;
  /** Fires when the client has disconnected or the request has timed out. */
  readonly signal: AbortSignal;
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A client's request as it is sent to another server. */
export function outgoingRequest({incoming, method, signal}: ForwardedRequest, backend: Backend): OutgoingRequest {
  const {protocol, host, port, path, agent} = backend;
  const body = bodyOf(incoming);
  return {
    protocol,
    host,
    port,
    path,
    method,
    headers: forwardedHeaders(incoming, backend),
    body,
    // No pool, unless it is the backend's own: the next request may be for another machine at the same address.
    agent,
    ...(protocol === 'https' && !agent ? {tls: tlsOptions(backend)} : {}),
    // Only what can be repeated.
    repeats: !body && safeMethods.has(method),
    signal,
  };
}

/** The body that the request's own framing announces, whatever its client says of that framing. */
export function bodyOf(incoming: IncomingMessage): StreamedBody | undefined {
  const {headers} = incoming;
  if (headers['transfer-encoding'] !== undefined) return {stream: incoming};
  const length = Number(headers['content-length'] ?? 0);
  return length === 0 ? undefined : {stream: incoming, length};
}
