import type {ServerResponse} from 'node:http';
import {isIPv6, type Socket} from 'node:net';
import {inject, route, type Route, type RouteRequest} from '../../../sdk/index.js';
import {AccountTokens} from './account-tokens.js';

/** How long relying parties may cache responses, in seconds. */
const cacheSeconds = 3600;

/** Lets relying parties verify service account tokens (OpenID Connect Discovery 1.0). */
@route()
export class OpenIdConfiguration implements Route {
  readonly #tokens: AccountTokens;

  constructor(@inject(AccountTokens) tokens: AccountTokens) {
    this.#tokens = tokens;
  }

  async handle({incoming}: RouteRequest, response: ServerResponse): Promise<void> {
    send(response, 'application/json', {
      issuer: this.#tokens.settings.issuer,
      jwks_uri: this.#tokens.settings.jwksUri ?? `https://${addressOf(incoming.socket)}/openid/v1/jwks`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: await this.#tokens.keys.algorithms(),
    });
  }
}

/** The public keys of service account tokens. */
@route()
export class JsonWebKeys implements Route {
  readonly #tokens: AccountTokens;

  constructor(@inject(AccountTokens) tokens: AccountTokens) {
    this.#tokens = tokens;
  }

  async handle(_request: RouteRequest, response: ServerResponse): Promise<void> {
    send(response, 'application/jwk-set+json', await this.#tokens.keys.keySet());
  }
}

/** The server's address as used by a client. */
function addressOf({localAddress = '', localPort = 0}: Socket): string {
  return `${isIPv6(localAddress) ? `[${localAddress}]` : localAddress}:${localPort}`;
}

function send(response: ServerResponse, type: string, document: object): void {
  const body = JSON.stringify(document);
  response.writeHead(200, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': `public, max-age=${cacheSeconds}`,
  });
  response.end(body);
}
