import {
  controller,
  ifFound,
  inject,
  isConflict,
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
import type {Service} from '../../../sdk/types/unchecked/core/v1.js';
import {KeyLoop} from '../../families/queues/key-loop.js';
import {AddressPools} from './address-pools.js';
import {SimulatedNodes} from './simulated-nodes.js';

const serviceType = namespaced<Service & ApiObject>('', 'v1', 'services', 'Service');

interface Settings {
  readonly addresses: readonly string[];
  readonly always: boolean;
}

/** Gives services of the type LoadBalancer addresses, as the controller of a cloud does, where nodes are simulated. */
@controller()
export class ServiceBalancers implements Controller {
  readonly #resources: ResourceClient;
  readonly #settings: Settings;
  readonly #finalizer: string;
  readonly #services: CacheInformer<Service & ApiObject>;
  readonly #nodes: SimulatedNodes;
  readonly #loop: KeyLoop;
  #pools: AddressPools | undefined;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
  ) {
    this.#resources = resources;
    this.#settings = config as unknown as Settings;
    this.#finalizer = naming.key('service.orch/load-balancer-cleanup');
    this.#loop = new KeyLoop(
      {resources, logger, metrics, concurrency: 5},
      {
        component: 'service-controller',
        queue: 'service',
        failure: 'a service could not get its load balancer',
        reconcile: (key) => this.#reconcile(key),
      },
    );
    const {failed} = this.#loop;
    this.#services = new CacheInformer(cache, serviceType, {
      changed: (key) => void this.#changed(key).catch((error: unknown) => failed(key, error)),
      deleted: (key) => this.#pools?.release(key),
      failed,
    });
    this.#nodes = new SimulatedNodes(cache, () => this.#lookAtAll(), failed);
  }

  async check(): Promise<void> {
    // It says what is wrong with the ranges.
    void new AddressPools(this.#settings.addresses);
  }

  start(signal: AbortSignal): Promise<void> {
    this.#pools = new AddressPools(this.#settings.addresses);
    // Which addresses are taken is known before any is given.
    return this.#loop.start(signal, this.#services, this.#nodes);
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  #lookAtAll(): void {
    for (const {namespace, name} of this.#services.list()) this.#loop.add(`${namespace}/${name}`);
  }

  async #changed(key: string): Promise<void> {
    const [namespace, name] = splitObjectKey(key);
    const service = (await this.#services.get(name, namespace)) as Service | undefined;
    if (!service) return;
    const isKept = service.metadata.finalizers?.includes(this.#finalizer) ?? false;
    if (isKept) this.#pools!.note(key, addressesOf(service));
    if (isKept || service.spec?.type === 'LoadBalancer') this.#loop.add(key);
  }

  async #reconcile(key: string): Promise<WorkResult> {
    const [namespace, name] = splitObjectKey(key);
    const service = (await ifFound(this.#resources.get(serviceType, namespace, name))) as Service | undefined;
    if (!service) return done;
    const {type, loadBalancerClass} = service.spec ?? {};
    const wants = type === 'LoadBalancer' && !loadBalancerClass && !service.metadata.deletionTimestamp;
    const isKept = service.metadata.finalizers?.includes(this.#finalizer) ?? false;
    try {
      if (wants && (this.#settings.always || this.#nodes.any)) await this.#ensure(key, service, isKept);
      else if (!wants && isKept) await this.#remove(key, service);
    } catch (error) {
      if (isConflict(error)) return {again: 0};
      throw error;
    }
    return done;
  }

  async #ensure(key: string, service: Service, isKept: boolean): Promise<void> {
    const {ipFamilies = [], loadBalancerIP} = service.spec ?? {};
    const wanted = loadBalancerIP ? [loadBalancerIP] : this.#pools!.take(key, ipFamilies);
    if (isKept && addressesOf(service).join() === wanted.join()) return;
    this.#say(service, 'EnsuringLoadBalancer', 'Ensuring load balancer');
    const finalizers = service.metadata.finalizers ?? [];
    await this.#write(service, isKept ? finalizers : [...finalizers, this.#finalizer], {ingress: wanted.map((ip) => ({ip}))});
    this.#say(service, 'EnsuredLoadBalancer', 'Ensured load balancer');
  }

  async #remove(key: string, service: Service): Promise<void> {
    this.#say(service, 'DeletingLoadBalancer', 'Deleting load balancer');
    const finalizers = (service.metadata.finalizers ?? []).filter((each) => each !== this.#finalizer);
    this.#pools!.release(key);
    await this.#write(service, finalizers, {});
    this.#say(service, 'DeletedLoadBalancer', 'Deleted load balancer');
  }

  /** Both in one write, as the controllers of clouds do. */
  async #write(service: Service, finalizers: readonly string[], loadBalancer: object): Promise<void> {
    const {namespace = ''} = service.metadata;
    const changed = {...service, metadata: {...service.metadata, finalizers}, status: {...service.status, loadBalancer}};
    await this.#resources.update(serviceType, namespace, changed as unknown as ApiObject, 'status');
  }

  #say({metadata}: Service, reason: string, note: string): void {
    this.#loop.events.record({apiVersion: 'v1', kind: 'Service', metadata}, {type: 'Normal', reason, note});
  }
}

function addressesOf({status}: Service): string[] {
  return (status?.loadBalancer?.ingress ?? []).flatMap(({ip}) => ip ?? []);
}
