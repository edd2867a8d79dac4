import {readFile} from 'node:fs/promises';
import {serviceUnavailable, unauthorized, type JsonObject} from '../../../sdk/index.js';
import {HttpsClient, placeOf} from '../../../sdk/https/index.js';
import type {ConsoleSettings} from './known-hosts.js';

/** Limits of a request to the provider. */
const timeoutMillis = 10_000;
const maximumBytes = 256 * 1024;
/** How long its discovery document is taken to be true. */
const discoveryMillis = 600_000;
/** How long it is left alone after it did not answer. */
const failureMillis = 5000;
const connections = 4;
/** Characters of an ID token: it has to fit into the headers of a request. */
const longestToken = 12 * 1024;

/** Where a provider signs people in. */
export interface ProviderEndpoints {
  readonly authorization: string;
  readonly token: string;
  /** Whether it can hand the code over in the part of the address that browsers keep to themselves. */
  readonly answersInFragment: boolean;
  /** What it is asked for: of what tokens may say of users, all that it knows. */
  readonly scopes: readonly string[];
}

/** A code, and what proves that who has it began to sign in. */
export interface CodeExchange {
  readonly code: string;
  readonly verifier: string;
  /** The address that the provider sent the browser back to. */
  readonly redirect: string;
}

/** The OpenID Connect provider of the server's `--oidc-*` flags, as one that signs people in: a public client with PKCE. Its tokens are verified by the authenticator `oidc`, like all. */
export class OidcProvider {
  readonly clientId: string;
  readonly #issuer: string;
  readonly #caFile: string | undefined;
  readonly #client = new HttpsClient(connections);
  #discovered: {readonly endpoints: Promise<ProviderEndpoints>; readonly until: number} | undefined;

  private constructor(issuer: string, clientId: string, caFile: string | undefined) {
    this.#issuer = issuer;
    this.clientId = clientId;
    this.#caFile = caFile;
  }

  /** Undefined if the server has none. */
  static of({oidcIssuerUrl, oidcClientId, oidcCaFile}: ConsoleSettings): OidcProvider | undefined {
    return oidcIssuerUrl === undefined || oidcClientId === undefined
      ? undefined
      : new OidcProvider(oidcIssuerUrl, oidcClientId, oidcCaFile);
  }

  close(): void {
    this.#client.close();
  }

  /** @throws StatusError 503 if the provider does not answer as it should */
  endpoints(): Promise<ProviderEndpoints> {
    const known = this.#discovered;
    if (known && Date.now() < known.until) return known.endpoints;
    const endpoints = this.#discover();
    const made = {endpoints, until: Date.now() + discoveryMillis};
    this.#discovered = made;
    endpoints.catch(() => {
      if (this.#discovered === made) this.#discovered = {endpoints, until: Date.now() + failureMillis};
    });
    return endpoints;
  }

  /** The ID token for a code. @throws StatusError 401 if the provider refuses it; 503 */
  async idToken({code, verifier, redirect}: CodeExchange): Promise<string> {
    const {token} = await this.endpoints();
    const form = {grant_type: 'authorization_code', code, redirect_uri: redirect, client_id: this.clientId, code_verifier: verifier};
    const answer = await this.#ask(token, Buffer.from(String(new URLSearchParams(form))));
    const {error, id_token: idToken} = answer;
    // Words of the provider are shown if they are such as the protocol has.
    if (error !== undefined)
      throw unauthorized(`the provider refuses to sign you in: ${/^[a-z_]{1,60}$/.test(String(error)) ? String(error) : 'error'}`);
    if (typeof idToken !== 'string' || idToken.length > longestToken || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(idToken))
      throw unusable('it answers no ID token, or one that is too long');
    return idToken;
  }

  async #discover(): Promise<ProviderEndpoints> {
    const found = await this.#ask(`${this.#issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    const {issuer, authorization_endpoint: authorization, token_endpoint: token} = found;
    const listed = (name: string) => (Array.isArray(found[name]) ? found[name] : []);
    if (issuer !== this.#issuer) throw unusable('it calls itself another name');
    if (!isHttps(authorization) || !isHttps(token)) throw unusable('its discovery document has no addresses to sign in at');
    const scopes = ['openid', ...['profile', 'email', 'groups'].filter((scope) => listed('scopes_supported').includes(scope))];
    return {authorization, token, answersInFragment: listed('response_modes_supported').includes('fragment'), scopes};
  }

  /** @param form sent by POST; refusals are answers of the protocol */
  async #ask(url: string, form?: Buffer): Promise<JsonObject> {
    try {
      const caBundle = this.#caFile === undefined ? undefined : await readFile(this.#caFile, 'utf8');
      const {statusCode, body} = await this.#client.fetch({
        tls: {caBundle},
        ...placeOf(url),
        headers: {host: new URL(url).host, ...(form ? {'content-type': 'application/x-www-form-urlencoded'} : {})},
        ...(form ? {body: form} : {}),
        maximumBytes,
        signal: AbortSignal.timeout(timeoutMillis),
      });
      const answer: unknown = JSON.parse(body.toString('utf8'));
      if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) throw new Error('the answer is no object');
      if (statusCode !== 200 && !(form && 'error' in answer)) throw new Error(`the answer has the status ${statusCode}`);
      return answer as JsonObject;
    } catch (error) {
      throw unusable('it does not answer as it should', error);
    }
  }
}

function isHttps(value: unknown): value is string {
  return typeof value === 'string' && URL.canParse(value) && new URL(value).protocol === 'https:';
}

function unusable(detail: string, cause?: unknown): Error {
  return serviceUnavailable(`nobody can be signed in by the OpenID Connect provider: ${detail}`, 5, cause === undefined ? {} : {cause});
}
