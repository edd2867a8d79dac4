import type {JWTPayload} from 'jose';
import {
  authenticator,
  inject,
  Tokens,
  unauthorized,
  type AuthenticationRequest,
  type Authenticator,
  type Logger,
  type UserInfo,
} from '../../../sdk/index.js';
import {bearerToken, tokenIssuer} from '../../../sdk/authentication/index.js';
import {oidcSettings, type OidcSettings} from './oidc-settings.js';
import {ProviderKeys} from './provider-keys.js';

/**
 * Authenticates users by ID tokens of one OpenID Connect provider (docs/semantics/access.md#openid-connect): tokens that it signed for
 * `--oidc-client-id` and that have not expired. Inactive without the flags.
 */
@authenticator({order: 300})
export class Oidc implements Authenticator {
  #settings: OidcSettings | undefined;
  #keys: ProviderKeys | undefined;
  readonly #config: Readonly<Record<string, unknown>>;
  readonly #logger: Logger;

  constructor(@inject(Tokens.Config) config: Readonly<Record<string, unknown>>, @inject(Tokens.Logger) logger: Logger) {
    this.#config = config;
    this.#logger = logger;
  }

  /** Rejects if the flags are inconsistent. The server starts even if the provider is unavailable. */
  async start(): Promise<void> {
    this.#settings = oidcSettings(this.#config);
    if (!this.#settings) return;
    this.#keys = new ProviderKeys(this.#settings);
    this.#keys.keepFresh(this.#settings.keyRefreshMillis, (error) =>
      this.#logger.warn(
        {issuer: this.#settings!.issuer, err: error},
        'the keys of the OpenID Connect provider cannot be fetched; known keys remain in use; retrying',
      ),
    );
  }

  async stop(): Promise<void> {
    this.#keys?.close();
  }

  authenticate(request: AuthenticationRequest): UserInfo | undefined | Promise<UserInfo | undefined> {
    const settings = this.#settings;
    if (!settings) return undefined;
    const token = bearerToken(request);
    return token !== undefined && tokenIssuer(token) === settings.issuer ? this.#identify(token, settings) : undefined;
  }

  async #identify(token: string, settings: OidcSettings): Promise<UserInfo> {
    try {
      const {jwtVerify} = await import('jose');
      const {payload} = await jwtVerify(token, this.#keys!.find, {
        issuer: settings.issuer,
        audience: settings.clientId,
        algorithms: [...settings.algorithms],
        requiredClaims: ['exp'],
      });
      return userOf(payload, settings);
    } catch (error) {
      throw unauthorized(undefined, {cause: error});
    }
  }
}

function userOf(claims: JWTPayload, settings: OidcSettings): UserInfo {
  for (const [name, value] of settings.requiredClaims) {
    if (!Object.hasOwn(claims, name) || claims[name] !== value) throw new Error(`the token has not the claim ${name}=${value}`);
  }
  const name = Object.hasOwn(claims, settings.usernameClaim) ? claims[settings.usernameClaim] : undefined;
  if (typeof name !== 'string' || name === '') throw new Error(`the token has no user name in the claim ${settings.usernameClaim}`);
  // An unconfirmed address may be somebody else's.
  if (settings.usernameClaim === 'email' && Object.hasOwn(claims, 'email_verified') && claims['email_verified'] !== true)
    throw new Error('the email address is not verified');
  return {username: settings.usernamePrefix + name, groups: groupsOf(claims, settings)};
}

/** A single group given as a string counts as a list of one. */
function groupsOf(claims: JWTPayload, {groupsClaim, groupsPrefix}: OidcSettings): string[] {
  if (groupsClaim === undefined || !Object.hasOwn(claims, groupsClaim)) return [];
  const value = claims[groupsClaim];
  const groups = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(groups) || !groups.every((group): group is string => typeof group === 'string'))
    throw new Error(`the claim ${groupsClaim} is not a list of groups`);
  return groups.map((group) => groupsPrefix + group);
}
