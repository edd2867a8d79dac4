import {
  controller,
  inject,
  Tokens,
  type ApiObject,
  type Controller,
  type FeatureGates,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ObjectCache,
  type ResourceClient,
} from '../../../sdk/index.js';
import {done, type WorkResult} from '../../../sdk/controllers/index.js';
import {ManagedSlices} from '../../families/endpoints/managed-slices.js';
import {selectorOf, ServiceBackends} from '../../families/endpoints/service-backends.js';
import {TriggerTimes} from '../../families/endpoints/trigger-times.js';
import {KeyLoop} from '../../families/queues/key-loop.js';
import {ServiceSlices} from './service-slices.js';
import {TopologyHints} from './topology-hints.js';
import {ZoneNodes} from './zone-nodes.js';
import {zoneShares} from './zone-shares.js';

/** As Kubernetes' queue. */
const retries = {initialMillis: 1000, maximumMillis: 1_000_000};
/** Longest wait for what was written to appear in the cache, which ends it. */
const unseenMillis = 1000;

/** Keeps the EndpointSlices of services with a selector. */
@controller()
export class EndpointSliceController implements Controller {
  readonly #loop: KeyLoop;
  readonly #backends: ServiceBackends;
  readonly #nodes: ZoneNodes;
  readonly #slices: ManagedSlices;
  readonly #services: ServiceSlices;
  readonly #hints = new TopologyHints();
  readonly #times = new TriggerTimes();
  /** Keys of services by the name of a node that some of their pods have and that is not there. */
  readonly #waiting = new Map<string, Set<string>>();

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
  ) {
    this.#loop = new KeyLoop(
      {resources, logger, metrics, concurrency: config['concurrency'] as number},
      {
        component: 'endpoint-slice-controller',
        queue: 'endpoint_slice',
        retries,
        failure: 'the slices of a service could not be brought in order',
        reconcile: (key) => this.#reconcile(key),
      },
    );
    const {clock, add, failed} = this.#loop;
    this.#backends = new ServiceBackends({cache, changed: add, failed});
    this.#nodes = new ZoneNodes({cache, key: (neutral) => naming.key(neutral), changed: (name) => this.#nodeChanged(name), failed});
    const managedBy = naming.group('endpointslice-controller.orch');
    this.#slices = new ManagedSlices({resources, cache, clock, naming, managedBy, changed: add, failed});
    this.#services = new ServiceSlices({
      naming,
      gates,
      slices: this.#slices,
      hints: this.#hints,
      zoneOf: (name) => this.#nodes.zoneOf(name),
      most: config['maxEndpointsPerSlice'] as number,
      say: (service, event) => this.#loop.events.record(service as ApiObject, event),
      waits: (key, node) => {
        const others = this.#waiting.get(node);
        if (others) others.add(key);
        else this.#waiting.set(node, new Set([key]));
      },
    });
  }

  start(signal: AbortSignal): Promise<void> {
    return this.#loop.start(signal, this.#backends, this.#nodes, this.#slices);
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  #nodeChanged(name: string): void {
    for (const key of this.#hints.setShares(zoneShares(this.#nodes.all()))) this.#loop.add(key);
    const waiting = this.#waiting.get(name);
    if (!waiting || this.#nodes.zoneOf(name) === undefined) return;
    this.#waiting.delete(name);
    for (const key of waiting) this.#loop.add(key);
  }

  async #reconcile(key: string): Promise<WorkResult> {
    const service = await this.#backends.service(key);
    if (!service) {
      this.#times.forget(key);
      this.#slices.forget(key);
      this.#hints.forget(key);
      return done;
    }
    // Whoever makes a service without a selector makes its slices, too.
    if (!selectorOf(service.spec)) return done;
    const pods = this.#backends.podsOf(service);
    const existing = await this.#slices.of(key);
    if (!existing) return {again: unseenMillis};
    const triggeredAt = this.#times.look(key, service, pods);
    try {
      await this.#services.reconcile({key, service, pods, existing, triggeredAt});
    } catch (error) {
      const {namespace, name} = service.metadata;
      const note = `Error updating Endpoint Slices for Service ${namespace}/${name}: ${(error as Error).message}`;
      this.#loop.events.record(
        {apiVersion: 'v1', kind: 'Service', metadata: service.metadata},
        {type: 'Warning', reason: 'FailedToUpdateEndpointSlices', note},
      );
      throw error;
    }
    return done;
  }
}
