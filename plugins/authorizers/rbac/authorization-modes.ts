import {
  authorizer,
  inject,
  Tokens,
  type AuthorizationAttributes,
  type AuthorizationDecision,
  type Authorizer,
  type Logger,
  type NamingProfile,
  type ResourceClient,
  type UserInfo,
  type UserRules,
} from '../../../sdk/index.js';
import {everyRule, noRule} from '../../families/rbac/user-rules.js';
import {DefaultPolicy} from './defaults/default-policy.js';
import {RbacAuthorizer} from './rbac-authorizer.js';
import {clusterRoleBindings, clusterRoles, rbacGroup, roleBindings, roles} from './rbac-objects.js';

const allow: AuthorizationDecision = Object.freeze({decision: 'allow'});
const noOpinion: AuthorizationDecision = Object.freeze({decision: 'no-opinion'});
const nothing: AuthorizationDecision = Object.freeze({decision: 'no-opinion', reason: 'Everything is forbidden.'});

interface Mode {
  authorize(attributes: AuthorizationAttributes): AuthorizationDecision;
  rulesFor(user: UserInfo, namespace: string): UserRules;
}

const alwaysAllow: Mode = {authorize: () => allow, rulesFor: () => everyRule};
const alwaysDeny: Mode = {authorize: () => nothing, rulesFor: () => noRule};

/**
 * The authorizers that `--authorization-mode` names, in its order; the first that allows decides. `RBAC` goes by roles and
 * bindings, which it completes by the default ones at start; `AlwaysAllow` and `AlwaysDeny` say what they do.
 */
@authorizer({order: 500})
export class AuthorizationModes implements Authorizer {
  readonly #modes: readonly Mode[];
  readonly #rbac: RbacAuthorizer | undefined;
  readonly #resources: ResourceClient;
  readonly #naming: NamingProfile;

  constructor(
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Logger) logger: Logger,
  ) {
    this.#resources = resources;
    this.#naming = naming;
    const names = config['authorizationMode'] as readonly string[];
    this.#rbac = names.includes('RBAC') ? new RbacAuthorizer(resources, logger, naming) : undefined;
    this.#modes = names.map((name) => {
      if (name === 'RBAC') return this.#rbac!;
      return name === 'AlwaysAllow' ? alwaysAllow : alwaysDeny;
    });
  }

  authorize(attributes: AuthorizationAttributes): AuthorizationDecision {
    let reasons: string[] | undefined;
    for (const mode of this.#modes) {
      const answer = mode.authorize(attributes);
      if (answer.decision !== 'no-opinion') return answer;
      if (answer.reason) (reasons ??= []).push(answer.reason);
    }
    return reasons ? {decision: 'no-opinion', reason: reasons.join(', ')} : noOpinion;
  }

  rulesFor(user: UserInfo, namespace: string): UserRules {
    const all = this.#modes.map((mode) => mode.rulesFor(user, namespace));
    return all.find((rules) => rules === everyRule) ?? all.find((rules) => rules !== noRule) ?? noRule;
  }

  /** Rejects in one sentence when roles are not served. Otherwise all of them are known when it resolves. */
  async start(signal: AbortSignal): Promise<void> {
    if (!this.#rbac) return;
    const group = this.#naming.group(rbacGroup);
    const served = new Set(
      this.#resources
        .resources()
        .filter((type) => type.group === group)
        .map(({resource}) => resource),
    );
    if (![roles, clusterRoles, roleBindings, clusterRoleBindings].every(({resource}) => served.has(resource))) {
      throw new Error(`--authorization-mode RBAC needs ${group}/v1, which is not served; see --runtime-config`);
    }
    await new DefaultPolicy(this.#resources, this.#naming).ensure();
    await this.#rbac.start(signal);
  }

  async stop(): Promise<void> {
    await this.#rbac?.stop();
  }
}
