import type {
  AuthorizationAttributes,
  AuthorizationDecision,
  Authorizer,
  Logger,
  NamingProfile,
  ResourceClient,
  ResourceRef,
  UserInfo,
  UserRules,
} from '../../../sdk/index.js';
import {noRule} from '../../families/rbac/user-rules.js';
import {clusterRoleBindings, clusterRoles, rbacGroup, roleBindings, roles, type BindingObject, type RoleObject} from './rbac-objects.js';
import {Following, type ListedFollower} from './following.js';
import {RuleIndex} from './rule-index.js';

const unknown = 'RBAC: roles and bindings are not known yet';
const notSynced: AuthorizationDecision = Object.freeze({decision: 'no-opinion', reason: unknown});

/**
 * Allows what roles and bindings permit, and denies nothing. Decisions are made synchronously from memory. A write takes effect when its
 * event arrives, within milliseconds. Nothing is allowed until all roles and bindings are known.
 */
export class RbacAuthorizer implements Authorizer {
  readonly #index: RuleIndex;
  readonly #unknown = new Set<ResourceRef>([roles, clusterRoles, roleBindings, clusterRoleBindings]);
  readonly #following = new Following();
  readonly #resources: ResourceClient;
  readonly #logger: Logger;

  constructor(resources: ResourceClient, logger: Logger, naming: NamingProfile) {
    this.#resources = resources;
    this.#logger = logger;
    this.#index = new RuleIndex(naming.group(rbacGroup));
  }

  authorize(attributes: AuthorizationAttributes): AuthorizationDecision {
    return this.#unknown.size === 0 ? this.#index.decide(attributes) : notSynced;
  }

  rulesFor(user: UserInfo, namespace: string): UserRules {
    if (this.#unknown.size > 0) return {...noRule, incomplete: true, error: unknown};
    return this.#index.rulesFor(user, namespace);
  }

  /** Resolves when all roles and bindings are known; watches them until `signal` fires. */
  async start(signal: AbortSignal): Promise<void> {
    const index = this.#index;
    const role = {changed: (one: RoleObject) => index.setRole(one), deleted: (one: RoleObject) => index.deleteRole(one)};
    const binding = {changed: (one: BindingObject) => index.setBinding(one), deleted: (one: BindingObject) => index.deleteBinding(one)};
    const followers = [
      {ref: roles, ...role, listed: (all: readonly RoleObject[]) => index.keepRoles(all, 'namespace')},
      {ref: clusterRoles, ...role, listed: (all: readonly RoleObject[]) => index.keepRoles(all, 'cluster')},
      {ref: roleBindings, ...binding, listed: (all: readonly BindingObject[]) => index.keepBindings(all, 'namespace')},
      {ref: clusterRoleBindings, ...binding, listed: (all: readonly BindingObject[]) => index.keepBindings(all, 'cluster')},
    ];
    const message = 'roles and bindings cannot be watched; authorization continues with the known ones';
    await Promise.all(
      followers.map(async (follower) => {
        await this.#following.begin(this.#resources, follower as ListedFollower, signal, (about) => this.#logger.warn(about, message));
        this.#unknown.delete(follower.ref);
      }),
    );
  }

  /** Resolves when all watches have ended; `signal` must have fired. */
  async stop(): Promise<void> {
    await this.#following.ended();
  }
}
