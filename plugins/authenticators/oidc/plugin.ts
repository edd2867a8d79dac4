import {resolve} from 'node:path';
import {
  authenticator,
  inject,
  Tokens,
  type AuthenticationRequest,
  type Authenticator,
  type Expressions,
  type Logger,
  type NamingProfile,
  type Schemas,
  type UserInfo,
} from '../../../sdk/index.js';
import {bearerToken, tokenIssuer} from '../../../sdk/authentication/index.js';
import {AuthenticationFile} from './authentication-file.js';
import {JwtIssuer} from './jwt-issuer.js';
import type {JwtSettings} from './jwt-settings.js';
import {givenOidcFlags, oidcSettings} from './oidc-settings.js';

/**
 * Authenticates users by ID tokens of OpenID Connect providers (docs/semantics/access.md#openid-connect): the one of the `--oidc-*` flags,
 * or those of `--authentication-config`. Inactive without either.
 */
@authenticator({order: 300})
export class Oidc implements Authenticator {
  #issuers: ReadonlyMap<string, JwtIssuer> = new Map();
  #file: AuthenticationFile | undefined;
  readonly #config: Readonly<Record<string, unknown>>;
  readonly #naming: NamingProfile;
  readonly #schemas: Schemas;
  readonly #expressions: Expressions;
  readonly #logger: Logger;

  constructor(
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Schemas) schemas: Schemas,
    @inject(Tokens.Expressions) expressions: Expressions,
    @inject(Tokens.Logger) logger: Logger,
  ) {
    this.#config = config;
    this.#naming = naming;
    this.#schemas = schemas;
    this.#expressions = expressions;
    this.#logger = logger;
  }

  /** Rejects if flags or file cannot be used. The server starts even if a provider is unavailable. */
  async start(): Promise<void> {
    const path = this.#config['authenticationConfig'] as string | undefined;
    if (path === undefined) {
      const single = oidcSettings(this.#config);
      if (single) this.#use([single]);
      return;
    }
    const given = givenOidcFlags(this.#config);
    if (given.length > 0)
      throw new Error(`--authentication-config and ${given.join(', ')} are mutually exclusive: put this issuer into the file`);
    const tools = {
      naming: this.#naming,
      schemas: this.#schemas,
      expressions: this.#expressions,
      keyRefreshMillis: (this.#config['keyRefreshSeconds'] as number) * 1000,
    };
    this.#file = new AuthenticationFile(resolve(path), tools, this.#logger);
    this.#use(await this.#file.read());
    this.#file.follow((settings) => this.#use(settings));
  }

  async stop(): Promise<void> {
    await this.#file?.close();
    this.#use([]);
  }

  authenticate(request: AuthenticationRequest): UserInfo | undefined | Promise<UserInfo | undefined> {
    if (this.#issuers.size === 0) return undefined;
    const token = bearerToken(request);
    const issuer = token === undefined ? undefined : tokenIssuer(token);
    return issuer === undefined ? undefined : this.#issuers.get(issuer)?.identify(token!);
  }

  /** From here on these issuers count, and no others. Those whose settings have not changed keep their keys. */
  #use(settings: readonly JwtSettings[]): void {
    const earlier = new Map(this.#issuers);
    const now = new Map<string, JwtIssuer>();
    for (const one of settings) {
      const same = earlier.get(one.issuer);
      if (same?.hasSettings(one)) {
        now.set(one.issuer, same);
        earlier.delete(one.issuer);
      } else {
        const issuer = new JwtIssuer(one, this.#logger);
        issuer.start();
        now.set(one.issuer, issuer);
      }
    }
    this.#issuers = now;
    for (const issuer of earlier.values()) issuer.close();
  }
}
