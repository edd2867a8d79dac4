import type {IncomingMessage, ServerResponse} from 'node:http';
import type {ExecutionContext} from 'ava';
import {exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload} from 'jose';
import {answer, webhookService, type WebhookService, type WebhookServiceOptions} from '../../helpers/webhook-service.js';

/** A key of a provider. */
export interface Key {
  readonly id: string;
  readonly algorithm: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

export async function makeKey(id: string, algorithm = 'RS256'): Promise<Key> {
  return {id, algorithm, ...(await generateKeyPair(algorithm))};
}

/** An OpenID Connect provider over HTTPS. Its issuer is `URL/realm`. */
export interface Provider extends WebhookService {
  readonly issuer: string;
  /** Those that it publishes, now. */
  readonly keys: Key[];
  /** Paths that were asked for. */
  readonly paths: string[];
  /** What is below other paths. */
  readonly pages: Map<string, (request: IncomingMessage, response: ServerResponse) => void>;
}

const discovery = '/realm/.well-known/openid-configuration';

/** Starts a provider that is stopped at the end of the test. @param discoveryPath where its discovery document is */
export async function startProvider(
  t: Pick<ExecutionContext, 'teardown'>,
  keys: Key[],
  options: WebhookServiceOptions = {},
  discoveryPath = discovery,
): Promise<Provider> {
  const paths: string[] = [];
  const pages: Provider['pages'] = new Map();
  const published = () =>
    Promise.all(keys.map(async ({id, algorithm, publicKey}) => ({...(await exportJWK(publicKey)), kid: id, alg: algorithm, use: 'sig'})));
  const serve = async (_body: string, response: ServerResponse, request: IncomingMessage) => {
    paths.push(request.url!);
    const issuer = `${service.url}/realm`;
    const page = pages.get(request.url!);
    if (page) page(request, response);
    else if (request.url === discoveryPath) answer(response, {issuer, jwks_uri: `${service.url}/keys`});
    else if (request.url === '/keys') answer(response, {keys: await published()});
    else answer(response, {}, 404);
  };
  const service: WebhookService = await webhookService(t, serve, options);
  return {...service, issuer: `${service.url}/realm`, keys, paths, pages};
}

/** A token with these claims; it is valid for a minute unless they say otherwise, and undefined ones are left out. */
export function signedToken(key: Key, claims: JWTPayload): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({iat: now, exp: now + 60, ...claims}).setProtectedHeader({alg: key.algorithm, kid: key.id}).sign(key.privateKey);
}
