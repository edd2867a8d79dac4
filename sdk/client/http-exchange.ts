import {request as plainRequest, type Agent, type IncomingMessage, type RequestOptions} from 'node:http';
import {request as tlsRequest} from 'node:https';
import {ConnectionError} from './connection-error.js';

/** A request without credentials. */
export interface HttpRequest {
  readonly method: string;
  /** Encoded path and query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly signal?: AbortSignal;
}

/** The parts of a server's address that requests need. */
export interface ServerAddress {
  readonly text: string;
  readonly secure: boolean;
  readonly hostname: string;
  readonly port: string;
  /** Precedes every path; without a trailing slash. */
  readonly prefix: string;
}

/** @throws TypeError if the text is not an http or https URL */
export function serverAddress(server: string): ServerAddress {
  if (!URL.canParse(server)) throw new TypeError(`the server's address ${JSON.stringify(server)} is not a URL`);
  const url = new URL(server);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new TypeError(`the server's address ${JSON.stringify(server)} is neither https nor http`);
  return {
    text: server,
    secure: url.protocol === 'https:',
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port,
    prefix: url.pathname.replace(/\/+$/, ''),
  };
}

/**
 * Sends one request and returns the response as soon as its head has arrived.
 *
 * @throws ConnectionError; the signal's reason if it fires
 */
export function exchange(
  server: ServerAddress,
  agent: Agent,
  headers: Record<string, string | string[]>,
  request: HttpRequest,
): Promise<IncomingMessage> {
  const {body, signal} = request;
  const options: RequestOptions = {
    agent,
    method: request.method,
    hostname: server.hostname,
    port: server.port === '' ? null : server.port,
    path: server.prefix + request.path,
    headers: body === undefined ? headers : {...headers, 'content-length': String(Buffer.byteLength(body))},
    ...(signal ? {signal} : {}),
  };
  return new Promise((resolve, reject) => {
    const send = () => {
      const outgoing = (server.secure ? tlsRequest : plainRequest)(options, resolve);
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        if (signal?.aborted) reject(signal.reason as Error);
        // The server may have closed an idle connection just as it was reused. Each is tried once, then a new one.
        else if (request.method === 'GET' && outgoing.reusedSocket && error.code === 'ECONNRESET') send();
        else reject(new ConnectionError(server.text, error));
      });
      outgoing.end(body);
    };
    send();
  });
}

/** The whole body. @throws ConnectionError if the connection ends first; the signal's reason if it fires */
export async function readBody(server: ServerAddress, response: IncomingMessage, signal: AbortSignal | undefined): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of response) chunks.push(chunk as Buffer);
  } catch (error) {
    signal?.throwIfAborted();
    throw new ConnectionError(server.text, error);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}
