import {
  authorizer,
  inject,
  Tokens,
  type AuthorizationAttributes,
  type AuthorizationDecision,
  type Authorizer,
  type DeclaredAccount,
  type FeatureGates,
  type Logger,
  type NamingProfile,
  type ResourceClient,
  type ResourceRef,
  type UserInfo,
  type UserRules,
} from '../../../sdk/index.js';
import {noRule} from '../../families/authorization/answers.js';
import {Following, type TypeFollower} from '../../families/authorization/following.js';
import {DefaultPolicy} from './defaults/default-policy.js';
import {clusterRoleBindings, clusterRoles, rbacGroup, roleBindings, roles, type BindingObject, type RoleObject} from './rbac-objects.js';
import {RuleIndex} from './rule-index.js';

const unknown = 'RBAC: roles and bindings are not known yet';
const notSynced: AuthorizationDecision = Object.freeze({decision: 'no-opinion', reason: unknown});

/**
 * Allows what roles and bindings permit, and denies nothing. Missing default ones are created at start. Decisions are made synchronously from memory. A write takes effect when its
 * event arrives, within milliseconds. Nothing is allowed until all roles and bindings are known.
 */
@authorizer()
export class RbacAuthorizer implements Authorizer {
  readonly #index: RuleIndex;
  readonly #unknown = new Set<ResourceRef>([roles, clusterRoles, roleBindings, clusterRoleBindings]);
  readonly #following = new Following();
  readonly #resources: ResourceClient;
  readonly #policy: DefaultPolicy;
  readonly #group: string;
  readonly #logger: Logger;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
    @inject(Tokens.Release) release: string,
    @inject(Tokens.DeclaredAccounts) accounts: readonly DeclaredAccount[],
    @inject(Tokens.Logger) logger: Logger,
  ) {
    this.#resources = resources;
    this.#logger = logger;
    this.#group = naming.group(rbacGroup);
    this.#index = new RuleIndex(this.#group);
    this.#policy = new DefaultPolicy({resources, naming, edition: {release, gates}, accounts, logger});
  }

  authorize(attributes: AuthorizationAttributes): AuthorizationDecision {
    return this.#unknown.size === 0 ? this.#index.decide(attributes) : notSynced;
  }

  rulesFor(user: UserInfo, namespace: string): UserRules {
    if (this.#unknown.size > 0) return {...noRule, incomplete: true, error: unknown};
    return this.#index.rulesFor(user, namespace);
  }

  /** Resolves when all roles and bindings are known; watches them until `signal` fires. Rejects with a one-sentence message if they are not served. */
  async start(signal: AbortSignal): Promise<void> {
    const types = this.#resources.resources().filter(({group}) => group === this.#group);
    const served = new Set(types.map(({resource}) => resource));
    if (![...this.#unknown].every(({resource}) => served.has(resource)))
      throw new Error(`--authorization-mode RBAC needs ${this.#group}/v1, which is not served; see --runtime-config`);
    await this.bootstrap();
    const index = this.#index;
    const role = {changed: (one: RoleObject) => index.setRole(one), deleted: (one: RoleObject) => index.deleteRole(one)};
    const binding = {changed: (one: BindingObject) => index.setBinding(one), deleted: (one: BindingObject) => index.deleteBinding(one)};
    const message = 'roles and bindings cannot be watched; authorization continues with the known ones';
    await Promise.all(
      [...this.#unknown].map(async (ref) => {
        const follower = {ref, ...(ref === roles || ref === clusterRoles ? role : binding)} as TypeFollower;
        await this.#following.begin(this.#resources, follower, signal, (about) => this.#logger.warn(about, message));
        this.#unknown.delete(ref);
      }),
    );
  }

  /** Makes the default roles and bindings that are missing. */
  bootstrap(): Promise<void> {
    return this.#policy.ensure();
  }

  /** Resolves when all watches have ended; `signal` must have fired. */
  async stop(): Promise<void> {
    await this.#following.ended();
  }
}
