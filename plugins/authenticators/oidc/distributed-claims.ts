import type {JWTPayload} from 'jose';
import {tokenIssuer} from '../../../sdk/authentication/index.js';
import {placeOf, type HttpsClient} from '../../../sdk/https/index.js';
import type {JwtSettings} from './jwt-settings.js';
import {ProviderKeys} from './provider-keys.js';

const timeoutMillis = 10_000;
const maximumBytes = 1024 * 1024;
/** Other issuers of claims whose keys are kept, for each issuer of tokens. */
const mostIssuers = 16;

/**
 * Fetches the groups of a token where the issuer has put them elsewhere (OpenID Connect Core 1.0, 5.6.2): `_claim_names` says which source has
 * them, and `_claim_sources` says where that is. The answer is a token of its own, verified like the first one. Redirects are not followed.
 */
export class DistributedClaims {
  readonly #others = new Map<string, ProviderKeys>();
  readonly #settings: JwtSettings;
  readonly #keys: ProviderKeys;
  readonly #client: HttpsClient;
  readonly #onFailure: (issuer: string, error: unknown) => void;

  /**
   * @param keys of the issuer of the tokens
   * @param onFailure called when the keys of another issuer cannot be fetched
   */
  constructor(settings: JwtSettings, keys: ProviderKeys, client: HttpsClient, onFailure: (issuer: string, error: unknown) => void) {
    this.#settings = settings;
    this.#keys = keys;
    this.#client = client;
    this.#onFailure = onFailure;
  }

  close(): void {
    for (const keys of this.#others.values()) keys.close();
    this.#others.clear();
  }

  /** The claims of a verified token, with the groups if they are elsewhere. Rejects with the reason if they cannot be had. */
  async resolve(claims: JWTPayload): Promise<JWTPayload> {
    const {groups} = this.#settings;
    if (!groups || !('claim' in groups)) return claims;
    const {claim} = groups;
    const source = sourceOf(claims, claim);
    if (!source) return claims;
    try {
      const found = await this.#verified(await this.#fetch(source));
      if (!Object.hasOwn(found, claim)) throw new Error(`the token from there has no claim ${claim}`);
      return {...claims, [claim]: found[claim]};
    } catch (error) {
      throw new Error(`the distributed claim ${claim} cannot be had from ${source.endpoint}: ${(error as Error).message}`, {cause: error});
    }
  }

  async #fetch({endpoint, accessToken}: Source): Promise<string> {
    if (!URL.canParse(endpoint) || new URL(endpoint).protocol !== 'https:') throw new Error('it is not an https URL');
    const {statusCode, body} = await this.#client.fetch({
      tls: {caBundle: this.#settings.ca?.join('\n')},
      ...placeOf(endpoint),
      headers: {
        host: new URL(endpoint).host,
        accept: 'application/jwt, */*',
        ...(accessToken === '' ? {} : {authorization: `Bearer ${accessToken}`}),
      },
      maximumBytes,
      signal: AbortSignal.timeout(timeoutMillis),
    });
    if (statusCode < 200 || statusCode > 226) throw new Error(`the answer has the status ${statusCode}`);
    return body.toString('utf8').trim();
  }

  async #verified(token: string): Promise<JWTPayload> {
    const issuer = tokenIssuer(token);
    if (issuer === undefined) throw new Error('the answer is not a token with an issuer');
    const {audiences, algorithms} = this.#settings;
    const {jwtVerify} = await import('jose');
    const {payload} = await jwtVerify(token, this.#keysOf(issuer).find, {
      issuer,
      audience: [...audiences],
      algorithms: [...algorithms],
      requiredClaims: ['exp'],
    });
    return payload;
  }

  #keysOf(issuer: string): ProviderKeys {
    const {issuer: own, ca, keyRefreshMillis} = this.#settings;
    if (issuer === own) return this.#keys;
    let keys = this.#others.get(issuer);
    if (!keys) {
      if (this.#others.size >= mostIssuers) throw new Error(`distributed claims have more than ${mostIssuers} issuers`);
      keys = new ProviderKeys({issuer, ca}, this.#client);
      keys.keepFresh(keyRefreshMillis, (error) => this.#onFailure(issuer, error));
      this.#others.set(issuer, keys);
    }
    return keys;
  }
}

interface Source {
  readonly endpoint: string;
  readonly accessToken: string;
}

/** Undefined if the claim is in the token itself, nowhere, or in a source without an address (an aggregated claim, which is ignored). */
function sourceOf(claims: JWTPayload, claim: string): Source | undefined {
  if (Object.hasOwn(claims, claim) || !Object.hasOwn(claims, '_claim_names')) return undefined;
  const name = member(claims['_claim_names'], claim, '_claim_names');
  if (name === undefined) return undefined;
  if (typeof name !== 'string') throw new Error(`the token's _claim_names names no source for ${claim}`);
  const source = member(claims['_claim_sources'], name, '_claim_sources');
  if (source === undefined) throw new Error(`the token's _claim_sources has no source ${name}`);
  const endpoint = member(source, 'endpoint', `source ${name}`) ?? '';
  const accessToken = member(source, 'access_token', `source ${name}`) ?? '';
  if (typeof endpoint !== 'string' || typeof accessToken !== 'string')
    throw new Error(`the endpoint and access_token of the token's source ${name} must be strings`);
  return endpoint === '' ? undefined : {endpoint, accessToken};
}

function member(value: unknown, name: string, what: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`the token's ${what} is not an object`);
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}
