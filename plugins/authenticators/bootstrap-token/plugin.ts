import {
  authenticator,
  ifFound,
  inject,
  Tokens,
  unauthorized,
  type Clock,
  type AuthenticationRequest,
  type Authenticator,
  type NamingProfile,
  type ResourceClient,
  type UserInfo,
} from '../../../sdk/index.js';
import {bearerToken, sameSecret} from '../../../sdk/authentication/index.js';
import type {Secret as TokenSecret} from '../../../sdk/types/unchecked/core/v1.js';
import {tokenExpiry, tokenSecretName, tokenSecrets, tokenSecretType, tokenValue} from '../../families/bootstrap-tokens/token-secret.js';

const form = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const group = 'system:bootstrappers';
const groupForm = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

/**
 * Authenticates joining nodes by bootstrap tokens (docs/semantics/access.md#bootstrap-tokens): `ID.SECRET`, backed by the Secret
 * `bootstrap-token-ID` in the system namespace. Requires `--enable-bootstrap-token-auth`.
 */
@authenticator({order: 400})
export class BootstrapToken implements Authenticator {
  readonly #enabled: boolean;
  readonly #namespace: string;
  readonly #type: string;
  readonly #resources: ResourceClient;
  readonly #clock: Clock;

  constructor(
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Clock) clock: Clock,
  ) {
    this.#clock = clock;
    this.#resources = resources;
    this.#enabled = config['enabled'] === true;
    this.#namespace = naming.systemNamespace;
    this.#type = tokenSecretType(naming);
  }

  /** @param now time of the request, milliseconds since 1970 */
  authenticate(request: AuthenticationRequest, now = this.#clock.now()): UserInfo | undefined | Promise<UserInfo | undefined> {
    if (!this.#enabled) return undefined;
    const [, id, secret] = form.exec(bearerToken(request) ?? '') ?? [];
    return id === undefined || secret === undefined ? undefined : this.#identify(id, secret, now);
  }

  async #identify(id: string, secret: string, now: number): Promise<UserInfo> {
    // A read of the most recent state makes a revoked token useless immediately; nodes join rarely.
    const found = (await ifFound(this.#resources.get(tokenSecrets, this.#namespace, tokenSecretName(id)))) as TokenSecret | undefined;
    const problem = found ? this.#problem(found, id, secret, now) : 'there is no Secret for it';
    if (problem !== undefined) throw unauthorized(undefined, {cause: new Error(`bootstrap token ${id} is refused: ${problem}`)});
    return {username: `system:bootstrap:${id}`, groups: [group, ...extraGroups(found!)]};
  }

  #problem(found: TokenSecret, id: string, secret: string, now: number): string | undefined {
    if (found.type !== this.#type) return 'the Secret has another type';
    if (found.metadata.deletionTimestamp) return 'the Secret is being deleted';
    if (!sameSecret(tokenValue(found, 'token-secret'), secret) || tokenValue(found, 'token-id') !== id)
      return 'the Secret contains another token';
    if (tokenExpiry(found) <= now) return 'it has expired';
    if (tokenValue(found, 'usage-bootstrap-authentication') !== 'true') return 'it is not for authentication';
    if (extraGroups(found).some((name) => !groupForm.test(name))) return 'its extra groups are not all bootstrap groups';
    return undefined;
  }
}

function extraGroups(secret: TokenSecret): string[] {
  return tokenValue(secret, 'auth-extra-groups')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
