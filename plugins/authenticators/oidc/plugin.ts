import {resolve} from 'node:path';
import {
  authenticator,
  inject,
  Tokens,
  type AuthenticationRequest,
  type Authenticator,
  type Expressions,
  type FeatureGates,
  type Logger,
  type Metrics,
  type NamingProfile,
  type UserInfo,
} from '../../../sdk/index.js';
import {bearerToken, tokenIssuer} from '../../../sdk/authentication/index.js';
import {ReloadFigures} from '../../../sdk/configuration/index.js';
import {accountIssuers} from '../../families/authentication/account-issuers.js';
import {credentialIdKey} from '../../families/authentication/credential-ids.js';
import {AuthenticationFile} from './authentication-file.js';
import {JwtFigures} from './jwt-figures.js';
import {JwtIssuer} from './jwt-issuer.js';
import type {JwtSettings} from './jwt-settings.js';
import {givenOidcFlags, oidcSettings} from './oidc-settings.js';
import type {ConfigurationTools} from './read-configuration.js';

/**
 * Authenticates users by ID tokens of OpenID Connect providers (docs/semantics/access.md#openid-connect): the one of the `--oidc-*` flags,
 * or those of `--authentication-config`. Inactive without either.
 */
@authenticator({order: 300})
export class Oidc implements Authenticator {
  #issuers: ReadonlyMap<string, JwtIssuer> = new Map();
  #file: AuthenticationFile | undefined;
  readonly #config: Readonly<Record<string, unknown>>;
  readonly #tools: ConfigurationTools;
  readonly #idKey: string | undefined;
  readonly #metrics: Metrics;
  readonly #figures: JwtFigures;
  readonly #logger: Logger;

  constructor(
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
    @inject(Tokens.Release) release: string,
    @inject(Tokens.Expressions) expressions: Expressions,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Logger) logger: Logger,
  ) {
    this.#config = config;
    this.#metrics = metrics;
    this.#figures = new JwtFigures(metrics);
    this.#logger = logger;
    this.#idKey = gates.enabled('CredentialIds') ? credentialIdKey(naming) : undefined;
    this.#tools = {
      naming,
      gates,
      release,
      expressions,
      accountIssuers: accountIssuers(config['accountIssuers'] as readonly string[] | undefined, naming),
      keyRefreshMillis: (config['keyRefreshSeconds'] as number) * 1000,
    };
  }

  /** Rejects if flags or file cannot be used. The server starts even if a provider is unavailable. */
  async start(): Promise<void> {
    const path = this.#config['authenticationConfig'] as string | undefined;
    if (path === undefined) {
      const single = oidcSettings(this.#config);
      if (single) this.#use([single]);
      return;
    }
    if (givenOidcFlags(this.#config).length > 0) throw new Error('authentication-config file and oidc-* flags are mutually exclusive');
    const {gates} = this.#tools;
    const gate = 'StructuredAuthenticationConfiguration';
    if (gates.enabled('AuthenticationConfigurationFile') && !gates.enabled(gate))
      throw new Error(`set --feature-gates=${gate}=true to use authentication-config file`);
    this.#file = new AuthenticationFile(resolve(path), this.#tools, new ReloadFigures(this.#metrics, 'authentication'), this.#logger);
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
    for (const given of settings) {
      const one = {...given, idKey: this.#idKey};
      const same = earlier.get(one.issuer);
      if (same?.hasSettings(one)) {
        now.set(one.issuer, same);
        earlier.delete(one.issuer);
      } else {
        const issuer = new JwtIssuer(one, this.#figures, this.#logger);
        issuer.start();
        now.set(one.issuer, issuer);
      }
    }
    this.#issuers = now;
    for (const [name, issuer] of earlier) {
      issuer.close();
      if (!now.has(name)) this.#figures.forget(name);
    }
  }
}
