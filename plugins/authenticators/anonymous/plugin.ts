import {randomUUID} from 'node:crypto';
import {resolve} from 'node:path';
import {
  authenticator,
  fieldErrorText,
  FieldPath,
  forbiddenField,
  inject,
  Tokens,
  type AccessReviewer,
  type AuthenticationRequest,
  type Authenticator,
  type FeatureGates,
  type NamingProfile,
  type UserInfo,
} from '../../../sdk/index.js';
import {WatchedFile} from '../../../sdk/configuration/index.js';
import type {AnonymousFields} from '../../families/authentication/configuration-fields.js';
import {readAuthenticationText} from '../../families/authentication/read-authentication-file.js';

const anonymous: UserInfo = Object.freeze({username: 'system:anonymous', groups: Object.freeze(['system:unauthenticated'])});

/**
 * Authenticates requests without credentials as user `system:anonymous` in the group `system:unauthenticated`
 * (docs/semantics/access.md#anonymous-requests); authorization decides what that user may do. `--anonymous-auth` enables or disables it, or `anonymous` in the file of
 * `--authentication-config`, which may name the only paths for which there are such requests. By default it is on unless authorization allows everything to everybody.
 */
@authenticator({order: 1000, fallback: true})
export class Anonymous implements Authenticator {
  #enabled: boolean | undefined;
  /** Undefined for all. */
  #paths: ReadonlySet<string> | undefined;
  #isConfigured = false;
  readonly #config: Readonly<Record<string, unknown>>;
  readonly #naming: NamingProfile;
  readonly #gates: FeatureGates;
  readonly #release: string;
  readonly #access: AccessReviewer;

  constructor(
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
    @inject(Tokens.Release) release: string,
    @inject(Tokens.Access) access: AccessReviewer,
  ) {
    this.#config = config;
    this.#naming = naming;
    this.#gates = gates;
    this.#release = release;
    this.#access = access;
    this.#enabled = config['anonymousAuth'] as boolean | undefined;
  }

  /** Rejects if both the flag and the file say something. What the file says first holds until the end; what is wrong with it otherwise is for its reader to report. */
  async start(): Promise<void> {
    const path = this.#config['authenticationConfig'] as string | undefined;
    if (path === undefined) return;
    let fields: AnonymousFields | undefined;
    try {
      const text = await new WatchedFile(resolve(path)).read();
      fields = (await readAuthenticationText(text, this.#naming, this.#release)).anonymous;
    } catch {
      // Its reader says so, and the server does not start.
      this.#enabled = false;
      return;
    }
    if (!fields || !this.#gates.enabled('AnonymousAuthConfigurableEndpoints')) return;
    if (this.#enabled !== undefined) {
      const detail = '--anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file';
      throw new Error(fieldErrorText(forbiddenField(FieldPath.of('anonymous'), detail)));
    }
    const {enabled = false, conditions = []} = fields;
    this.#enabled = enabled;
    this.#isConfigured = true;
    this.#paths = conditions.length > 0 ? new Set(conditions.map(({path: only = ''}) => only)) : undefined;
  }

  get isExclusive(): boolean {
    return this.#isConfigured;
  }

  authenticate(request: AuthenticationRequest): UserInfo | undefined | Promise<UserInfo | undefined> {
    if (this.#paths && !this.#paths.has(request.path)) return undefined;
    if (this.#enabled === undefined) return this.#settle(request);
    return this.#enabled ? anonymous : undefined;
  }

  /** An authorizer that allows everything to an unknown user allows everything to everybody. */
  async #settle(request: AuthenticationRequest): Promise<UserInfo | undefined> {
    const stranger = {username: `system:stranger:${randomUUID()}`, groups: []};
    const {decision} = await this.#access.authorize({
      user: stranger,
      verb: '*',
      isResourceRequest: true,
      path: '',
      group: '*',
      version: '*',
      resource: '*',
      subresource: '',
      namespace: '',
      name: '',
    });
    this.#enabled = decision !== 'allow';
    return this.authenticate(request) as UserInfo | undefined;
  }
}
