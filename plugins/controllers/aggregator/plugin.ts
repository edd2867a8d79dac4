import {
  controller,
  inject,
  Tokens,
  type AggregatedVersions,
  type Controller,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ResourceClient,
  type Tracing,
} from '../../../sdk/index.js';
import {followObjects} from '../../../sdk/controllers/index.js';
import type {APIService} from '../../../sdk/types/unchecked/apiregistration/v1.js';
import type {Aggregator} from './aggregator.js';
import {apiServices} from './api-service.js';
import {ProxyCertificate} from './proxy-certificate.js';
import type {AggregatorSettings} from './settings.js';

/**
 * Aggregated API servers (docs/operations/services-behind.md#aggregated-api-servers): follows the APIServices on every server of a store. Most stores have none with
 * a service, so what deals with those is loaded with the first.
 */
@controller()
export class Aggregation implements Controller {
  readonly #abort = new AbortController();
  #certificate: ProxyCertificate | undefined;
  #aggregator: Promise<Aggregator> | undefined;
  #running: Promise<void> = Promise.resolve();
  readonly #resources: ResourceClient;
  readonly #naming: NamingProfile;
  readonly #versions: AggregatedVersions;
  readonly #metrics: Metrics;
  readonly #logger: Logger;
  readonly #settings: AggregatorSettings;
  readonly #tracing: Tracing;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.AggregatedVersions) versions: AggregatedVersions,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Tracing) tracing: Tracing,
    @inject(Tokens.Config) settings: AggregatorSettings,
  ) {
    this.#resources = resources;
    this.#naming = naming;
    this.#versions = versions;
    this.#metrics = metrics;
    this.#logger = logger;
    this.#settings = settings;
    this.#tracing = tracing;
  }

  /** @throws Error in one sentence if the proxy client certificate cannot be used */
  async check(): Promise<void> {
    void new ProxyCertificate(this.#settings, this.#logger);
  }

  /** Resolves when the existing APIServices have been read, so that the first request can be proxied. */
  async start(): Promise<void> {
    const certificate = new ProxyCertificate(this.#settings, this.#logger);
    this.#certificate = certificate;
    certificate.start(() => void this.#aggregator?.then((aggregator) => aggregator.certificateReplaced()));
    await new Promise<void>((resolve) => {
      this.#running = followObjects(
        this.#resources,
        apiServices,
        {
          changed: (object) => this.#take(object),
          deleted: (object) => void this.#aggregator?.then((aggregator) => aggregator.delete(object.metadata.name ?? '')),
          listed: () => resolve(),
          failed: (error) => {
            this.#logger.warn({err: error}, 'APIServices cannot be watched; retrying');
            resolve();
          },
        },
        this.#abort.signal,
      );
    });
  }

  async stop(): Promise<void> {
    this.#certificate?.stop();
    this.#abort.abort();
    await this.#running;
    await (await this.#aggregator)?.stop();
  }

  /** Those that this server answers itself are of no interest, unless they were different before. */
  async #take(object: APIService): Promise<void> {
    if (!object.spec?.service && !this.#aggregator) return;
    this.#aggregator ??= this.#load();
    (await this.#aggregator).set(object);
  }

  async #load(): Promise<Aggregator> {
    const {Aggregator: Loaded} = await import('./aggregator.js');
    return new Loaded({
      resources: this.#resources,
      naming: this.#naming,
      versions: this.#versions,
      metrics: this.#metrics,
      logger: this.#logger,
      settings: this.#settings,
      tracing: this.#tracing,
      pair: () => this.#certificate!.pair,
    });
  }
}
