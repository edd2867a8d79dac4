import type {AuthenticationRequest} from '../../../sdk/index.js';
import type {Exchange} from '../request/exchange.js';
import {clientCertificateOf} from './client-certificate.js';
import {protocolToken} from './protocol-token.js';

const none: readonly string[] = [];

/**
 * What a request shows of its caller. A class, since an object literal with a getter gets a hidden class of its own each time, in the old generation: it would keep
 * the request alive until the next full collection.
 */
export class IncomingCredentials implements AuthenticationRequest {
  readonly #exchange: Exchange;
  readonly #protocolPrefix: string;

  /** @param protocolPrefix what subprotocols of WebSocket requests begin with that carry a token */
  constructor(
    exchange: Exchange,
    readonly audiences: readonly string[],
    protocolPrefix: string,
  ) {
    this.#exchange = exchange;
    this.#protocolPrefix = protocolPrefix;
  }

  header(name: string): readonly string[] {
    const {request, upgrade} = this.#exchange;
    // Most requests have none of the headers that are asked for, and lists of all of them cost more than the rest of this.
    const values = request.headers[name] === undefined ? none : (request.headersDistinct[name] ?? none);
    if (!upgrade || name !== 'authorization' || values.length > 0) return values;
    const token = protocolToken(request, this.#protocolPrefix);
    return token === undefined ? values : [`Bearer ${token}`];
  }

  *headers(): Iterable<readonly [name: string, value: string]> {
    const raw = this.#exchange.request.rawHeaders;
    for (let index = 0; index + 1 < raw.length; index += 2) yield [raw[index]!.toLowerCase(), raw[index + 1]!];
  }

  clientCertificate(): ReturnType<AuthenticationRequest['clientCertificate']> {
    return clientCertificateOf(this.#exchange.socket);
  }

  warn(text: string): void {
    this.#exchange.warn(text);
  }

  annotate(key: string, value: string): void {
    this.#exchange.annotate(key, value);
  }

  get path(): string {
    return this.#exchange.path;
  }

  get remoteAddress(): string {
    return this.#exchange.socket.remoteAddress ?? '';
  }
}
