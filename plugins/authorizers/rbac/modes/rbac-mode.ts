import type {FeatureGates, Logger, NamingProfile, ResourceClient} from '../../../../sdk/index.js';
import {DefaultPolicy} from '../defaults/default-policy.js';
import {RbacAuthorizer} from '../rbac-authorizer.js';
import {clusterRoleBindings, clusterRoles, rbacGroup, roleBindings, roles} from '../rbac-objects.js';
import type {Mode} from './mode.js';

/** Goes by roles and bindings, which it completes by the default ones at start. */
export class RbacMode extends RbacAuthorizer implements Mode {
  readonly #resources: ResourceClient;
  readonly #naming: NamingProfile;
  readonly #gates: FeatureGates;

  constructor(resources: ResourceClient, naming: NamingProfile, gates: FeatureGates, logger: Logger) {
    super(resources, logger, naming);
    this.#gates = gates;
    this.#resources = resources;
    this.#naming = naming;
  }

  /** Rejects in one sentence when roles are not served. Otherwise all of them are known when it resolves. */
  override async start(signal: AbortSignal): Promise<void> {
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
    await new DefaultPolicy(this.#resources, this.#naming, this.#gates).ensure();
    await super.start(signal);
  }
}
