import {DefaultPolicy, type RbacParts} from '../defaults/default-policy.js';
import {RbacAuthorizer} from '../rbac-authorizer.js';
import {clusterRoleBindings, clusterRoles, rbacGroup, roleBindings, roles} from '../rbac-objects.js';
import type {Mode} from './mode.js';

/** Authorization by roles and bindings. Missing default ones are created at start. */
export class RbacMode extends RbacAuthorizer implements Mode {
  readonly #parts: RbacParts;

  constructor(parts: RbacParts) {
    super(parts.resources, parts.logger, parts.naming);
    this.#parts = parts;
  }

  /** Rejects with a one-sentence message if roles are not served. When it resolves, all of them are known. */
  override async start(signal: AbortSignal): Promise<void> {
    const group = this.#parts.naming.group(rbacGroup);
    const served = new Set(
      this.#parts.resources
        .resources()
        .filter((type) => type.group === group)
        .map(({resource}) => resource),
    );
    if (![roles, clusterRoles, roleBindings, clusterRoleBindings].every(({resource}) => served.has(resource))) {
      throw new Error(`--authorization-mode RBAC needs ${group}/v1, which is not served; see --runtime-config`);
    }
    await this.bootstrap();
    await super.start(signal);
  }

  /** Makes the default roles and bindings that are missing. */
  bootstrap(): Promise<void> {
    return new DefaultPolicy(this.#parts).ensure();
  }
}
