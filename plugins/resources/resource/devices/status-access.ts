import {
  dnsSubdomainFaults,
  FieldPath,
  forbiddenField,
  inject,
  injectable,
  Tokens,
  type AccessReviewer,
  type FeatureGates,
  type FieldError,
  type NamingProfile,
  type StrategyContext,
  type UserInfo,
} from '../../../../sdk/index.js';
import {sameValue} from '../../../../sdk/validation/index.js';
import type {AllocatedDeviceStatus, AllocationResult, ResourceClaimStatus} from '../../../../sdk/types/unchecked/resource/v1.js';

const statusPath = FieldPath.of('status');
const accountPrefix = 'system:serviceaccount:';

/** What is asked of the authorizers: rights to parts of a status, under resources that nobody can request. */
interface Right {
  readonly verb: string;
  readonly subresource: 'binding' | 'driver';
  /** Empty for all namespaces. */
  readonly namespace: string;
  /** Of a driver; empty for all claims. */
  readonly name: string;
}

/**
 * Who may change which part of the status of a claim (gate `DRAResourceClaimGranularStatusAuthorization`): what is allocated and for whom with a right to `resourceclaims/binding`,
 * what a driver says of its devices with one to `resourceclaims/driver` under the driver's name, for all nodes or for the own one alone.
 */
@injectable()
export class StatusAccess {
  readonly #access: AccessReviewer;
  readonly #isGranular: boolean;
  readonly #hasDevices: boolean;
  readonly #group: string;
  readonly #nodeKey: string;

  constructor(
    @inject(Tokens.Access) access: AccessReviewer,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
    @inject(Tokens.Naming) naming: NamingProfile,
  ) {
    this.#access = access;
    this.#isGranular = gates.enabled('DRAResourceClaimGranularStatusAuthorization');
    this.#hasDevices = gates.enabled('DRAResourceClaimDeviceStatus');
    this.#group = naming.group('resource.orch');
    this.#nodeKey = `authentication.${naming.keyPrefix}/node-name`;
  }

  /** Errors for what the user may not change of a status. */
  async faults(status: ResourceClaimStatus, old: ResourceClaimStatus, context: StrategyContext): Promise<FieldError[]> {
    if (!this.#isGranular) return [];
    const binding = await this.#bindingFaults(status, old, context);
    // What is said of devices goes with them: whoever takes them back needs no right to that.
    return this.#hasDevices && status.allocation ? [...binding, ...(await this.#driverFaults(status, old, context))] : binding;
  }

  async #bindingFaults(status: ResourceClaimStatus, old: ResourceClaimStatus, context: StrategyContext): Promise<FieldError[]> {
    if (sameValue(status.allocation, old.allocation) && sameValue(status.reservedFor ?? [], old.reservedFor ?? [])) return [];
    const {verb} = context;
    const problem = await this.#problem({verb, subresource: 'binding', namespace: '', name: ''}, context);
    const wanted = `resource="resourceclaims/binding", verb="${verb}" permission`;
    return problem === undefined
      ? []
      : [forbiddenField(statusPath.child('allocation'), `changing status.allocation or status.reservedFor requires ${wanted}: ${problem}`)];
  }

  async #driverFaults(status: ResourceClaimStatus, old: ResourceClaimStatus, context: StrategyContext): Promise<FieldError[]> {
    const drivers = changedDrivers(status.devices ?? [], old.devices ?? []);
    if (drivers.length === 0) return [];
    const isOwnNode = nodeOf(status.allocation) !== undefined && nodeOf(status.allocation) === this.#nodeOfAccount(context.user);
    const verbs = [...(isOwnNode ? ['associated-node'] : []), 'arbitrary-node'].map((nodes) => `${nodes}:${context.verb}`);
    const faults: FieldError[] = [];
    for (const driver of drivers) {
      const problem = await this.#driverProblem(driver, verbs, context);
      const wanted = `resource="resourceclaims/driver", verb="[${verbs.join(' ')}]" permission`;
      if (problem !== undefined)
        faults.push(forbiddenField(statusPath.child('devices'), `changing status.devices requires ${wanted}: ${problem}`));
    }
    return faults;
  }

  /** Any of the verbs is enough. */
  async #driverProblem(name: string, verbs: readonly string[], context: StrategyContext): Promise<string | undefined> {
    let first: string | undefined;
    for (const verb of verbs) {
      const problem = await this.#problem({verb, subresource: 'driver', namespace: context.namespace, name}, context);
      if (problem === undefined) return undefined;
      first ??= problem;
    }
    return first;
  }

  /** Why the user does not have a right, in the words of a refusal. */
  async #problem({verb, subresource, namespace, name}: Right, {user, version}: StrategyContext): Promise<string | undefined> {
    const right = {verb, subresource, namespace, name, group: this.#group, version, resource: 'resourceclaims'};
    const {decision, reason} = await this.#access.authorize({user, isResourceRequest: true, path: '', ...right});
    if (decision === 'allow') return undefined;
    const what = `${right.resource}.${right.group}${name ? ` ${JSON.stringify(name)}` : ''}`;
    const where = namespace ? `in the namespace ${JSON.stringify(namespace)}` : 'at the cluster scope';
    const who = `User ${JSON.stringify(user.username)}`;
    const action = `cannot ${verb} resource "${right.resource}/${subresource}" in API group ${JSON.stringify(right.group)} ${where}`;
    return `${what} is forbidden: ${who} ${action}${reason ? `: ${reason}` : ''}`;
  }

  /** The node that the pod of a service account runs on, if the token says so. */
  #nodeOfAccount({username, extra}: UserInfo): string | undefined {
    const names = extra?.[this.#nodeKey] ?? [];
    const [name] = names;
    if (!username.startsWith(accountPrefix) || names.length !== 1 || name === undefined) return undefined;
    return dnsSubdomainFaults(name).length === 0 ? name : undefined;
  }
}

/** Drivers of whose devices something was added, changed or removed. */
function changedDrivers(now: readonly AllocatedDeviceStatus[], before: readonly AllocatedDeviceStatus[]): string[] {
  const idOf = ({driver, pool, device, shareID}: AllocatedDeviceStatus) => JSON.stringify([driver, pool, device, shareID ?? '']);
  const left = new Map(before.map((device) => [idOf(device), device]));
  const drivers = new Set<string>();
  for (const device of now) {
    const id = idOf(device);
    if (!left.has(id) || !sameValue(left.get(id), device)) drivers.add(device.driver ?? '');
    left.delete(id);
  }
  for (const {driver = ''} of left.values()) drivers.add(driver);
  return [...drivers].sort();
}

/** The one node that devices were allocated on, if they are of one. */
function nodeOf(allocation: AllocationResult | undefined | null): string | undefined {
  const terms = allocation?.nodeSelector?.nodeSelectorTerms ?? [];
  const [term] = terms;
  if (terms.length !== 1 || !term || term.matchExpressions?.length || term.matchFields?.length !== 1) return undefined;
  const {key, operator, values} = term.matchFields[0]!;
  return key === 'metadata.name' && operator === 'In' && values?.length === 1 ? values[0] : undefined;
}
