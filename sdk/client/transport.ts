import type {IncomingHttpHeaders, IncomingMessage} from 'node:http';
import {abortableDelay} from './abortable-delay.js';
import {credentialSource, type Connection, type Credentials, type CredentialSource, type Impersonation} from './connection.js';
import {Connections} from './connections.js';
import {exchange, readBody, serverAddress, type HttpRequest, type ServerAddress} from './http-exchange.js';
import {retryDelay} from './retry-delay.js';
import {encodeHeaderKey} from '../values/header-key.js';

/** A complete response, whatever its status. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A response whose body is streamed. */
export interface HttpStream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly response: IncomingMessage;
}

export interface TransportOptions {
  readonly userAgent: string;
  /** Maximum number of retries of a request that the server deferred. */
  readonly maximumRetries: number;
  /** Called with the text of every `Warning` header with code 299. */
  readonly onWarning: ((text: string) => void) | undefined;
}

/**
 * Sends requests with credentials over connections that stay open. Requests that the server deferred, or rejected because of expired
 * credentials, are repeated.
 */
export class Transport {
  readonly server: ServerAddress;
  readonly #source: CredentialSource;
  readonly #connections: Connections;
  readonly #closing = new AbortController();
  readonly #impersonation: Record<string, string | string[]>;
  readonly #options: TransportOptions;

  constructor(connection: Connection, options: TransportOptions) {
    this.#options = options;
    this.server = serverAddress(connection.server);
    this.#source = credentialSource(connection.credentials);
    this.#connections = new Connections(connection);
    this.#impersonation = {'user-agent': options.userAgent, ...identityHeaders(connection.impersonate)};
  }

  /** Sends a request and reads the whole response. @throws ConnectionError; the signal's reason if it fires */
  async request(request: HttpRequest): Promise<HttpResponse> {
    const response = await this.#send(request);
    const body = await this.#explained(readBody(this.server, response, request.signal));
    return {status: response.statusCode ?? 0, headers: response.headers, body};
  }

  /** Like `request`, for an endless body. It also ends if connections are replaced because the client certificate changed. */
  async stream(request: HttpRequest): Promise<HttpStream> {
    const response = await this.#send(request);
    const forget = this.#connections.onRetire(() => response.destroy());
    response.once('close', forget);
    return {status: response.statusCode ?? 0, headers: response.headers, response};
  }

  /** Closes all connections; requests in progress fail. */
  close(): void {
    this.#closing.abort(new Error('the client is closed'));
    this.#connections.close();
  }

  async #send(request: HttpRequest): Promise<IncomingMessage> {
    let refusedOnce = false;
    for (let retries = 0; ;) {
      this.#closing.signal.throwIfAborted();
      request.signal?.throwIfAborted();
      const credentials = await this.#credentials(request.signal);
      const response = await this.#explained(
        exchange(this.server, this.#connections.agentFor(credentials), this.#headers(request, credentials), request),
      );
      this.#passWarnings(response);
      if (response.statusCode === 401 && !refusedOnce && this.#source.rejected?.(credentials) === true) {
        refusedOnce = true;
        await readBody(this.server, response, request.signal);
        continue;
      }
      const wait = retries < this.#options.maximumRetries ? retryDelay(response) : undefined;
      if (wait === undefined) return response;
      retries++;
      await readBody(this.server, response, request.signal);
      await abortableDelay(wait, request.signal ? AbortSignal.any([request.signal, this.#closing.signal]) : this.#closing.signal);
    }
  }

  /** Credentials are shared by requests: canceling one must not affect the others. */
  async #credentials(signal: AbortSignal | undefined): Promise<Credentials> {
    const credentials = this.#source.get(this.#closing.signal);
    if (!(credentials instanceof Promise) || !signal) return credentials;
    return new Promise((resolve, reject) => {
      const abort = () => reject(signal.reason as Error);
      signal.addEventListener('abort', abort, {once: true});
      credentials.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
    });
  }

  #headers(request: HttpRequest, {token, basic}: Credentials): Record<string, string | string[]> {
    const headers: Record<string, string | string[]> = {accept: 'application/json', ...this.#impersonation, ...request.headers};
    if (token !== undefined) headers.authorization = `Bearer ${token}`;
    else if (basic) headers.authorization = `Basic ${Buffer.from(`${basic.username}:${basic.password}`).toString('base64')}`;
    return headers;
  }

  /** The error of a request that failed because the client was closed says so. */
  async #explained<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      this.#closing.signal.throwIfAborted();
      throw error;
    }
  }

  #passWarnings(response: IncomingMessage): void {
    const {onWarning} = this.#options;
    const header = response.headers.warning;
    if (!onWarning || header === undefined) return;
    for (const [, text] of header.matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/g)) onWarning(text!.replace(/\\(.)/g, '$1'));
  }
}

/** The `Impersonate-*` headers. Characters in keys of extra values that header names cannot contain are percent-encoded. */
function identityHeaders(impersonate: Impersonation | undefined): Record<string, string | string[]> {
  if (!impersonate) return {};
  const headers: Record<string, string | string[]> = {'impersonate-user': impersonate.user};
  if (impersonate.uid !== undefined) headers['impersonate-uid'] = impersonate.uid;
  if (impersonate.groups && impersonate.groups.length > 0) headers['impersonate-group'] = [...impersonate.groups];
  for (const [key, values] of Object.entries(impersonate.extra ?? {})) headers[`impersonate-extra-${encodeHeaderKey(key)}`] = [...values];
  return headers;
}
