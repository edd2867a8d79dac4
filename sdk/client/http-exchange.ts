import type {Agent, IncomingMessage} from 'node:http';
import {WebhookError} from '../errors/webhook-error.js';
import {sendRequest} from '../https/send-request.js';
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
export async function exchange(
  server: ServerAddress,
  agent: Agent,
  headers: Record<string, string | string[]>,
  {method, path, body, signal}: HttpRequest,
): Promise<IncomingMessage> {
  try {
    const {head} = await sendRequest({
      protocol: server.secure ? 'https' : 'http',
      host: server.hostname,
      port: Number(server.port || (server.secure ? 443 : 80)),
      path: server.prefix + path,
      method,
      headers,
      body: body === undefined ? undefined : Buffer.from(body),
      agent,
      repeats: method === 'GET',
      signal,
    });
    return head;
  } catch (error) {
    if (!WebhookError.is(error)) throw error;
    const {code, cause = error} = error;
    // A head that cannot be sent is the caller's mistake, not the server's.
    throw code === 'Misconfigured' ? cause : new ConnectionError(server.text, cause);
  }
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
