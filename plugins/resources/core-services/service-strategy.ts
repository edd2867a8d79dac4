import {
  inject,
  strategy,
  Tokens,
  type FeatureGates,
  type FieldError,
  type NamingProfile,
  type ResourceClient,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import type {Service} from '../../../sdk/types/unchecked/core/v1.js';
import {AddressObjects} from './address-objects.js';
import {fixedAddresses, serviceCidrAddresses} from './address-source.js';
import {dropFieldsOfOldType, keepAllocated, linkClusterIps} from './linked-fields.js';
import {ServiceAllocator} from './service-allocator.js';
import {serviceCells} from './service-cells.js';
import {ServiceClaims} from './service-claims.js';
import {serviceFaults, serviceStatusFaults, serviceUpdateFaults} from './service-rules.js';
import {addressRanges, nodePorts, type ServiceSettings} from './service-settings.js';
import {addressVersion, defaultServiceCidr, ensureDefault} from './service-cidrs.js';
import {services, needs} from './service.js';
import {loadBalancerWarnings, serviceWarnings} from './service-warnings.js';

const affinitySeconds = 10800;

/** Service: a name and an address for a set of pods. The server allocates addresses and ports that no other service has. */
@strategy()
export class ServiceStrategy implements ResourceStrategy<Service> {
  #allocator: ServiceAllocator | undefined;
  /** Allocation errors, kept until validation reports them together with all others. */
  readonly #refused = new WeakMap<Service, FieldError[]>();
  readonly #resources: ResourceClient;
  readonly #naming: NamingProfile;
  readonly #settings: ServiceSettings;
  readonly #gates: FeatureGates;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Config) settings: ServiceSettings,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
  ) {
    this.#gates = gates;
    this.#resources = resources;
    this.#naming = naming;
    this.#settings = settings;
    this.#gates = gates;
  }

  applyDefaults(service: Service): void {
    applyServiceDefaults(service);
    if (this.#gates.enabled('LoadBalancerIPMode')) applyAddressModes(service);
  }

  async prepareForCreate(service: Service, {dryRun, warn}: StrategyContext): Promise<void> {
    if (service.spec) linkClusterIps(service.spec, undefined);
    for (const text of serviceWarnings(service, this.#naming, this.#gates)) warn(text);
    service.status = {loadBalancer: {}};
    await this.#allocate(service, undefined, dryRun, serviceFaults(service, this.#naming, this.#gates));
  }

  async prepareForUpdate(service: Service, old: Service, {dryRun, subresource, warn}: StrategyContext): Promise<void> {
    if (subresource === 'status')
      for (const text of loadBalancerWarnings(service.status?.loadBalancer?.ingress ?? [], this.#gates)) warn(text);
    if (subresource !== '') return;
    if (service.spec && old.spec) {
      keepAllocated(service.spec, old.spec);
      linkClusterIps(service.spec, old.spec);
      dropFieldsOfOldType(service.spec, old.spec);
    }
    for (const text of serviceWarnings(service, this.#naming, this.#gates)) warn(text);
    if (service.spec?.type !== 'LoadBalancer') service.status = {...service.status, loadBalancer: {}};
    await this.#allocate(service, old, dryRun, serviceUpdateFaults(service, old, this.#naming, this.#gates));
  }

  validateCreate(service: Service): FieldError[] {
    return [...serviceFaults(service, this.#naming, this.#gates), ...(this.#refused.get(service) ?? [])];
  }

  validateUpdate(service: Service, old: Service, {subresource}: StrategyContext): FieldError[] {
    if (subresource === 'status') return serviceStatusFaults(service, old, this.#gates);
    return [...serviceUpdateFaults(service, old, this.#naming, this.#gates), ...(this.#refused.get(service) ?? [])];
  }

  tableCells(service: Service): Record<string, string> {
    return serviceCells(service);
  }

  /** @throws Error with a one-sentence message if the settings of the ranges are invalid */
  start(): Promise<void> {
    return this.bootstrap();
  }

  async bootstrap(): Promise<void> {
    const resources = this.#resources;
    const fixed = addressRanges(this.#settings);
    const version = addressVersion(resources, this.#naming, this.#gates);
    if (version !== undefined) await ensureDefault(resources, version, defaultServiceCidr(this.#naming), this.#settings.clusterIpRanges);
    const objects = version === undefined ? undefined : new AddressObjects(resources, this.#naming, version);
    const claims = new ServiceClaims(resources, this.#naming, objects);
    const addresses = version === undefined ? fixedAddresses(fixed) : serviceCidrAddresses(resources, version, fixed);
    this.#allocator = new ServiceAllocator(claims, addresses, nodePorts(this.#settings));
    await claims.restore((await resources.list(services, '')).items);
  }

  /** Nothing is allocated for a service that is going to be rejected. */
  async #allocate(service: Service, old: Service | undefined, dryRun: boolean, faults: readonly FieldError[]): Promise<void> {
    if (faults.length > 0) return;
    if (!this.#allocator) throw new Error('services can be written from start on');
    this.#refused.set(service, await this.#allocator.allocate(service, old, dryRun));
  }
}

/** Addresses of load balancers are those of the service, if they do not say otherwise. Modifies `service`. */
function applyAddressModes({spec, status}: Service): void {
  if (spec?.type !== 'LoadBalancer') return;
  for (const address of status?.loadBalancer?.ingress ?? []) if (address.ip) address.ipMode ??= 'VIP';
}

/** Fills in defaults that depend on other fields. Modifies `service`. Fixed defaults are in the schema. */
function applyServiceDefaults({spec}: Service): void {
  if (!spec) return;
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity === 'ClientIP') {
    const timeoutSeconds = spec.sessionAffinityConfig?.clientIP?.timeoutSeconds ?? affinitySeconds;
    spec.sessionAffinityConfig = {...spec.sessionAffinityConfig, clientIP: {...spec.sessionAffinityConfig?.clientIP, timeoutSeconds}};
  }
  for (const port of spec.ports ?? []) {
    if ((port.targetPort === undefined || port.targetPort === 0 || port.targetPort === '') && port.port) port.targetPort = port.port;
  }
  if (needs.externalTrafficPolicy(spec) && !spec.externalTrafficPolicy) spec.externalTrafficPolicy = 'Cluster';
  if (needs.clusterIp(spec)) spec.internalTrafficPolicy ??= 'Cluster';
  if (spec.type === 'LoadBalancer') spec.allocateLoadBalancerNodePorts ??= true;
}
