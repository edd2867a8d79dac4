import type {
  ApiObject,
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
import {followObjects} from '../../../sdk/controllers/index.js';
import {noRule} from '../../families/rbac/user-rules.js';
import {clusterRoleBindings, clusterRoles, rbacGroup, roleBindings, roles, type BindingObject, type RoleObject} from './rbac-objects.js';
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
  readonly #following: Promise<void>[] = [];
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
    await Promise.all([
      this.#follow<RoleObject>(
        roles,
        signal,
        (role) => index.setRole(role),
        (role) => index.deleteRole(role),
        (all) => index.keepRoles(all, 'namespace'),
      ),
      this.#follow<RoleObject>(
        clusterRoles,
        signal,
        (role) => index.setRole(role),
        (role) => index.deleteRole(role),
        (all) => index.keepRoles(all, 'cluster'),
      ),
      this.#follow<BindingObject>(
        roleBindings,
        signal,
        (one) => index.setBinding(one),
        (one) => index.deleteBinding(one),
        (all) => index.keepBindings(all, 'namespace'),
      ),
      this.#follow<BindingObject>(
        clusterRoleBindings,
        signal,
        (one) => index.setBinding(one),
        (one) => index.deleteBinding(one),
        (all) => index.keepBindings(all, 'cluster'),
      ),
    ]);
  }

  /** Resolves when all watches have ended; `signal` must have fired. */
  async stop(): Promise<void> {
    await Promise.all(this.#following);
  }

  /** Resolves with the first list. */
  #follow<T extends ApiObject>(
    ref: ResourceRef,
    signal: AbortSignal,
    set: (object: T) => void,
    remove: (object: T) => void,
    keep: (objects: readonly T[]) => void,
  ): Promise<void> {
    return new Promise((resolve) => {
      const follower = {
        changed: (object: ApiObject) => set(object as T),
        deleted: (object: ApiObject) => remove(object as T),
        listed: (objects: readonly ApiObject[]) => {
          keep(objects as readonly T[]);
          this.#unknown.delete(ref);
          resolve();
        },
        failed: (error: unknown) =>
          this.#logger.warn(
            {resource: ref.resource, err: error},
            'roles and bindings cannot be watched; authorization continues with the known ones',
          ),
      };
      this.#following.push(followObjects(this.#resources, ref, follower, signal, {startFromCache: true}));
    });
  }
}
