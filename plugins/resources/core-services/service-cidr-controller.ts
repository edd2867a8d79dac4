import {
  controller,
  inject,
  isConflict,
  isNotFound,
  Tokens,
  type ApiObject,
  type Controller,
  type FeatureGates,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ResourceClient,
} from '../../../sdk/index.js';
import {changedFinalizers, done, Reconciler, splitObjectKey, type WorkResult} from '../../../sdk/controllers/index.js';
import {cidrContains, parseCidr, parseIp, type Cidr} from '../../../sdk/net/index.js';
import type {ServiceCIDR as ServiceCidr} from '../../../sdk/types/unchecked/networking/v1.js';
import {AddressObjects} from './address-objects.js';
import {addressVersion, putReady, serviceCidrs} from './service-cidrs.js';

/** How long a ServiceCIDR stays after its deletion though nobody needs it: other servers may still allocate from it. */
const deletionGraceMillis = 10_000;
/** How often one is looked at that is being deleted while services have addresses of it. */
const blockedMillis = 2000;
const readyMessage = 'Kubernetes Service CIDR is ready';
const blockedMessage = 'There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR';

/**
 * Makes ServiceCIDRs ready, and keeps those that are being deleted as long as an address of a service is in no other one. Several servers may do this at
 * the same time.
 */
@controller()
export class ServiceCidrController implements Controller {
  readonly #finalizer: string;
  #loop: Reconciler | undefined;
  #version = '';
  #addresses!: AddressObjects;
  readonly #resources: ResourceClient;
  readonly #naming: NamingProfile;
  readonly #gates: FeatureGates;
  readonly #logger: Logger;
  readonly #metrics: Metrics;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
  ) {
    this.#resources = resources;
    this.#naming = naming;
    this.#gates = gates;
    this.#logger = logger;
    this.#metrics = metrics;
    this.#finalizer = `${naming.group('networking.orch')}/service-cidr-finalizer`;
  }

  async start(signal: AbortSignal): Promise<void> {
    const version = addressVersion(this.#resources, this.#naming, this.#gates);
    if (version === undefined) return;
    this.#version = version;
    this.#addresses = new AddressObjects(this.#resources, this.#naming, version);
    this.#loop = new Reconciler({
      resources: this.#resources,
      naming: this.#naming,
      logger: this.#logger,
      figures: {metrics: this.#metrics, name: 'service-cidr'},
      concurrency: 1,
      types: [{ref: serviceCidrs(version)}],
      reconcile: (key) => this.#sync(key),
    });
    await this.#loop.start(signal);
  }

  async stop(): Promise<void> {
    await this.#loop?.stop();
  }

  async #sync(key: string): Promise<WorkResult> {
    const [, name] = splitObjectKey(key);
    try {
      return await this.#step(await this.#resources.get(serviceCidrs(this.#version), '', name));
    } catch (error) {
      if (isConflict(error)) return {again: 0};
      if (!isNotFound(error)) throw error;
      return done;
    }
  }

  async #step(object: ServiceCidr): Promise<WorkResult> {
    const {deletionTimestamp} = object.metadata;
    if (!deletionTimestamp) {
      if (await this.#putFinalizer(object, true)) return done;
      await putReady(this.#resources, this.#version, object, {message: readyMessage});
      return done;
    }
    if (await this.#isNeeded(object)) {
      await putReady(this.#resources, this.#version, object, {status: 'False', reason: 'Terminating', message: blockedMessage});
      return {again: blockedMillis};
    }
    const left = Date.parse(deletionTimestamp) + deletionGraceMillis - (this.#resources.clock?.now() ?? Date.now());
    if (left > 0) return {again: left};
    await this.#putFinalizer(object, false);
    return done;
  }

  /** Returns whether it was written, which brings it here again. */
  async #putFinalizer(object: ServiceCidr, wanted: boolean): Promise<boolean> {
    const finalizers = changedFinalizers(object, this.#finalizer, wanted);
    if (!finalizers) return false;
    await this.#resources.update(serviceCidrs(this.#version), '', {...object, metadata: {...object.metadata, finalizers}} as ApiObject);
    return true;
  }

  /** Whether an address of a service is in this one alone. */
  async #isNeeded({metadata, spec}: ServiceCidr): Promise<boolean> {
    const all: ServiceCidr[] = (await this.#resources.list(serviceCidrs(this.#version), '')).items;
    const others = all.filter((other) => other.metadata.name !== metadata.name).flatMap(blocksOf);
    const own = blocksOf({metadata, spec});
    if (own.every((block) => others.some((other) => isWithin(block, other)))) return false;
    return (await this.#addresses.all()).some(({metadata: {name = ''}}) => {
      const address = parseIp(name);
      const isIn = (block: Cidr) => address !== undefined && cidrContains(block, address);
      return own.some(isIn) && !others.some(isIn);
    });
  }
}

function blocksOf({spec}: Pick<ServiceCidr, 'metadata' | 'spec'>): Cidr[] {
  return (spec?.cidrs ?? []).flatMap((text) => parseCidr(text) ?? []);
}

function isWithin({family, base, prefixLength}: Cidr, outer: Cidr): boolean {
  return family === outer.family && prefixLength >= outer.prefixLength && cidrContains(outer, {family, value: base});
}
