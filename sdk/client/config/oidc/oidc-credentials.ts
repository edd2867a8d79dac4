import type {Credentials, CredentialSource} from '../../connection.js';
import {fileOrData} from '../file-or-data.js';
import type {UserEntry} from '../kubeconfig.js';
import {refreshTokens, type OidcClient, type OidcTokens} from './refresh-tokens.js';
import {storeTokens, type OidcPlace} from './store-tokens.js';

/** A token that expires sooner may be expired when it arrives. */
const marginMillis = 10_000;

/**
 * ID tokens of an OpenID provider (`auth-provider` with the name `oidc`). An expired one is renewed with the refresh token, and the new
 * tokens are written to the configuration file.
 */
export class OidcCredentials implements CredentialSource {
  readonly #config: Readonly<Record<string, string>>;
  #tokens: OidcTokens;
  #current: Credentials | undefined;
  #refreshing: Promise<Credentials> | undefined;
  readonly #place: OidcPlace;
  readonly #others: Credentials;

  /** @throws Error for a provider with another name, or one with missing settings */
  constructor(provider: NonNullable<UserEntry['auth-provider']>, place: OidcPlace, others: Credentials = {}) {
    this.#place = place;
    this.#others = others;
    if (provider.name !== 'oidc')
      throw new Error(`${place.where}: the auth-provider ${JSON.stringify(provider.name ?? '')} is not supported; use exec`);
    this.#config = provider.config ?? {};
    for (const member of ['idp-issuer-url', 'client-id']) {
      if (!this.#config[member]) throw new Error(`${place.where}: auth-provider.config.${member} is required`);
    }
    this.#tokens = {idToken: this.#config['id-token'] ?? '', refreshToken: this.#config['refresh-token'] ?? ''};
  }

  get(signal: AbortSignal): Credentials | Promise<Credentials> {
    const {idToken} = this.#tokens;
    if (idToken !== '' && !isOver(idToken)) return (this.#current ??= {...this.#others, token: idToken});
    return (this.#refreshing ??= this.#refresh(signal).finally(() => (this.#refreshing = undefined)));
  }

  rejected(used: Credentials): boolean {
    if (this.#tokens.refreshToken === '') return false;
    if (used === this.#current) this.#tokens = {...this.#tokens, idToken: ''};
    return true;
  }

  async #refresh(signal: AbortSignal): Promise<Credentials> {
    const {where} = this.#place;
    if (this.#tokens.refreshToken === '') throw new Error(`${where}: the ID token has expired, and there is no refresh token to renew it`);
    try {
      this.#tokens = await refreshTokens(await this.#client(), this.#tokens.refreshToken, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw new Error(`${where}: cannot refresh the ID token: ${(error as Error).message}`, {cause: error});
    }
    this.#current = {...this.#others, token: this.#tokens.idToken};
    await storeTokens(this.#place, this.#tokens).catch((error: unknown) => {
      // This process can continue; the next one may have to log in again.
      process.emitWarning(`${where}: the new tokens could not be stored: ${(error as Error).message}`);
    });
    return this.#current;
  }

  async #client(): Promise<OidcClient> {
    const {'idp-issuer-url': issuer, 'client-id': clientId, 'client-secret': clientSecret} = this.#config;
    const {file, where} = this.#place;
    return {
      issuer: issuer!,
      clientId: clientId!,
      clientSecret,
      certificateAuthority: await fileOrData(this.#config, 'idp-certificate-authority', file, where),
    };
  }
}

/** Whether a token has expired or is about to. A token without a readable expiry is left to the server. */
function isOver(token: string): boolean {
  try {
    const {exp} = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as {exp?: unknown};
    return typeof exp === 'number' && exp * 1000 <= Date.now() + marginMillis;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
