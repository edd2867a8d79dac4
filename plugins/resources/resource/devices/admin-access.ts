import {
  FieldPath,
  forbiddenField,
  ifFound,
  inject,
  injectable,
  internalFieldError,
  Tokens,
  type FieldError,
  type NamingProfile,
  type ResourceClient,
  type StrategyContext,
} from '../../../../sdk/index.js';
import type {DeviceRequestAllocationResult, ResourceClaimSpec} from '../../../../sdk/types/unchecked/resource/v1.js';

const namespaces = {group: '', version: 'v1', resource: 'namespaces'};

/** Access to devices that others use, for administrators: only in namespaces with a label for it. */
@injectable()
export class AdminAccess {
  readonly #resources: ResourceClient;
  readonly #label: string;

  constructor(@inject(Tokens.Resources) resources: ResourceClient, @inject(Tokens.Naming) naming: NamingProfile) {
    this.#resources = resources;
    this.#label = `resource.${naming.keyPrefix}/admin-access`;
  }

  /** Errors in a new claim or template. The path is that of `v1beta1` whichever version it has, as in Kubernetes. */
  async requestFaults({devices}: ResourceClaimSpec, {namespace}: StrategyContext): Promise<FieldError[]> {
    const index = (devices?.requests ?? []).findIndex(({exactly}) => exactly?.adminAccess === true);
    return index < 0 ? [] : this.#faults(FieldPath.of('spec', 'devices', 'requests').index(index).child('adminAccess'), namespace);
  }

  /** Errors in allocated devices, unless there was such an access before. */
  async resultFaults(
    results: readonly DeviceRequestAllocationResult[] | undefined | null,
    old: readonly DeviceRequestAllocationResult[] | undefined | null,
    {namespace}: StrategyContext,
  ): Promise<FieldError[]> {
    const index = (results ?? []).findIndex(({adminAccess}) => adminAccess === true);
    if (index < 0 || old?.some(({adminAccess}) => adminAccess === true)) return [];
    return this.#faults(FieldPath.of('status', 'allocation', 'devices', 'results').index(index).child('adminAccess'), namespace);
  }

  async #faults(path: FieldPath, name: string): Promise<FieldError[]> {
    const namespace = await ifFound(this.#resources.get(namespaces, '', name));
    if (!namespace)
      return [
        internalFieldError(path, `could not retrieve namespace to verify admin access: namespaces ${JSON.stringify(name)} not found`),
      ];
    if (namespace.metadata.labels?.[this.#label] === 'true') return [];
    return [forbiddenField(path, `admin access to devices requires the \`${this.#label}: true\` label on the containing namespace`)];
  }
}
