import {
  controller,
  ifFound,
  inject,
  isNamespaceTerminating,
  Tokens,
  type ApiObject,
  type Controller,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ObjectCache,
  type ResourceClient,
} from '../../../sdk/index.js';
import {CacheInformer, done, splitObjectKey, type WorkResult} from '../../../sdk/controllers/index.js';
import {namespaced} from '../../../sdk/types/resource-handle.js';
import type {Endpoints, Service} from '../../../sdk/types/unchecked/core/v1.js';
import {OwnWrites} from '../../families/endpoints/own-writes.js';
import {selectorOf, ServiceBackends} from '../../families/endpoints/service-backends.js';
import {TriggerTimes} from '../../families/endpoints/trigger-times.js';
import {KeyLoop} from '../../families/queues/key-loop.js';
import {component, EndpointsContent} from './endpoints-content.js';
import {serviceSubsets} from './service-subsets.js';

const endpointsType = namespaced<Endpoints & ApiObject>('', 'v1', 'endpoints', 'Endpoints');
const serviceType = namespaced<Service & ApiObject>('', 'v1', 'services', 'Service');

/** As Kubernetes' queue. */
const retries = {initialMillis: 5, maximumMillis: 1_000_000};
/** Longest wait for what was written to appear in the cache, which ends it. */
const unseenMillis = 1000;

/** Keeps the Endpoints of services with a selector. */
@controller()
export class EndpointsController implements Controller {
  readonly #resources: ResourceClient;
  readonly #loop: KeyLoop;
  readonly #backends: ServiceBackends;
  readonly #endpoints: CacheInformer<Endpoints & ApiObject>;
  readonly #content: EndpointsContent;
  readonly #writes: OwnWrites;
  readonly #times = new TriggerTimes();

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
  ) {
    this.#resources = resources;
    this.#content = new EndpointsContent(naming);
    this.#loop = new KeyLoop(
      {resources, logger, metrics, concurrency: config['concurrency'] as number},
      {
        component,
        queue: 'endpoint',
        retries,
        failure: 'the endpoints of a service could not be brought in order',
        reconcile: (key) => this.#reconcile(key),
      },
    );
    const {clock, add, failed} = this.#loop;
    this.#writes = new OwnWrites(clock);
    this.#backends = new ServiceBackends({cache, changed: add, failed});
    this.#endpoints = new CacheInformer(cache, endpointsType, {
      deleted: (key) => {
        this.#writes.forget(key);
        add(key);
      },
      failed,
    });
  }

  async start(signal: AbortSignal): Promise<void> {
    await this.#loop.start(signal, this.#backends, this.#endpoints);
    void this.#loop.listed.then(() => {
      // Services may have gone while nobody looked.
      for (const {namespace, name} of this.#endpoints.list()) this.#loop.add(`${namespace}/${name}`);
    });
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #reconcile(key: string): Promise<WorkResult> {
    const [namespace, name] = splitObjectKey(key);
    const service = await this.#backends.service(key);
    const before = (await this.#endpoints.get(name, namespace)) as Endpoints | undefined;
    if (!service) {
      this.#times.forget(key);
      this.#writes.forget(key);
      if (before && !this.#content.isLock(before)) await this.#deleteLeftOver(namespace, name);
      return done;
    }
    // Whoever makes a service without a selector makes its endpoints, too.
    if (!selectorOf(service.spec)) return done;
    const pods = this.#backends.podsOf(service);
    const triggeredAt = this.#times.look(key, service, pods);
    const wanted = serviceSubsets(service, pods);
    if (!this.#writes.areSeen(key, before ? [before.metadata] : [])) return {again: unseenMillis};
    if (before && this.#content.isSame(before, service, wanted)) return done;
    await this.#write(key, service, before, this.#content.make(before, service, wanted, triggeredAt));
    return done;
  }

  /** The cache may not have a service yet whose endpoints it has. */
  async #deleteLeftOver(namespace: string, name: string): Promise<void> {
    if (await ifFound(this.#resources.get(serviceType, namespace, name))) return;
    await ifFound(this.#resources.delete(endpointsType, namespace, name));
  }

  async #write(key: string, service: Service, before: Endpoints | undefined, endpoints: Endpoints): Promise<void> {
    const {namespace = '', name = ''} = service.metadata;
    try {
      if (before) {
        const {metadata} = await this.#resources.update(endpointsType, namespace, endpoints as ApiObject);
        if (metadata.resourceVersion !== before.metadata.resourceVersion) this.#writes.changed(key, before.metadata);
      } else {
        const {metadata} = await this.#resources.create(endpointsType, namespace, endpoints as ApiObject);
        this.#writes.created(key, metadata);
      }
    } catch (error) {
      if (!before && isNamespaceTerminating(error)) return;
      const {message} = error as Error;
      this.#loop.events.record(
        endpoints as ApiObject,
        before
          ? {type: 'Warning', reason: 'FailedToUpdateEndpoint', note: `Failed to update endpoint ${namespace}/${name}: ${message}`}
          : {
              type: 'Warning',
              reason: 'FailedToCreateEndpoint',
              note: `Failed to create endpoint for service ${namespace}/${name}: ${message}`,
            },
      );
      throw error;
    }
  }
}
