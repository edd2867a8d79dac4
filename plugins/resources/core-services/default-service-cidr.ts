import {
  controller,
  ifFound,
  inject,
  Tokens,
  type Controller,
  type FeatureGates,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ResourceClient,
} from '../../../sdk/index.js';
import {done, Reconciler, splitObjectKey, type WorkResult} from '../../../sdk/controllers/index.js';
import {addressVersion, defaultServiceCidr, ensureDefault, serviceCidrs} from './service-cidrs.js';
import type {ServiceSettings} from './service-settings.js';

/**
 * Makes the ServiceCIDR with the blocks of the settings again when it is gone. Part of the API server, as in Kubernetes, where the controller manager
 * does the rest. Several servers may do this at the same time.
 */
@controller()
export class DefaultServiceCidr implements Controller {
  #loop: Reconciler | undefined;
  readonly #resources: ResourceClient;
  readonly #naming: NamingProfile;
  readonly #gates: FeatureGates;
  readonly #logger: Logger;
  readonly #metrics: Metrics;
  readonly #cidrs: readonly string[];

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Config) {clusterIpRanges}: ServiceSettings,
  ) {
    this.#resources = resources;
    this.#naming = naming;
    this.#gates = gates;
    this.#logger = logger;
    this.#metrics = metrics;
    this.#cidrs = clusterIpRanges;
  }

  async start(signal: AbortSignal): Promise<void> {
    const version = addressVersion(this.#resources, this.#naming, this.#gates);
    if (version === undefined) return;
    this.#loop = new Reconciler({
      resources: this.#resources,
      naming: this.#naming,
      logger: this.#logger,
      figures: {metrics: this.#metrics, name: 'default-service-cidr'},
      concurrency: 1,
      types: [{ref: serviceCidrs(version)}],
      reconcile: (key) => this.#sync(version, key),
    });
    await this.#loop.start(signal);
  }

  async stop(): Promise<void> {
    await this.#loop?.stop();
  }

  async #sync(version: string, key: string): Promise<WorkResult> {
    const [, name] = splitObjectKey(key);
    const isOurs = name === defaultServiceCidr(this.#naming);
    if (isOurs && (await ifFound(this.#resources.get(serviceCidrs(version), '', name))) === undefined)
      await ensureDefault(this.#resources, version, name, this.#cidrs);
    return done;
  }
}
