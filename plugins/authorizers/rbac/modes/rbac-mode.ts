import type {FeatureGates, Logger, NamingProfile, ResourceClient} from '../../../../sdk/index.js';
import {DefaultPolicy} from '../defaults/default-policy.js';
import {RbacAuthorizer} from '../rbac-authorizer.js';
import {clusterRoleBindings, clusterRoles, rbacGroup, roleBindings, roles} from '../rbac-objects.js';
import type {Mode} from './mode.js';

/** Authorization by roles and bindings. Missing default ones are created at start. */
export class RbacMode extends RbacAuthorizer implements Mode {
  readonly #resources: ResourceClient;
  readonly #naming: NamingProfile;
  readonly #gates: FeatureGates;
  readonly #log: Logger;

  constructor(resources: ResourceClient, naming: NamingProfile, gates: FeatureGates, logger: Logger) {
    super(resources, logger, naming);
    this.#gates = gates;
    this.#log = logger;
    this.#resources = resources;
    this.#naming = naming;
  }

  /** Rejects with a one-sentence message if roles are not served. When it resolves, all of them are known. */
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
    await this.bootstrap();
    await super.start(signal);
  }

  /** Makes the default roles and bindings that are missing. */
  bootstrap(): Promise<void> {
    return new DefaultPolicy(this.#resources, this.#naming, this.#gates, this.#log).ensure();
  }
}
