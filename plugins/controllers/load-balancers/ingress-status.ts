import {
  controller,
  inject,
  isConflict,
  isNotFound,
  Tokens,
  type ApiObject,
  type Controller,
  type Logger,
  type Metrics,
  type ObjectCache,
  type ResourceClient,
} from '../../../sdk/index.js';
import {CacheInformer, done, splitObjectKey, type WorkResult} from '../../../sdk/controllers/index.js';
import {clusterWide, namespaced} from '../../../sdk/types/resource-handle.js';
import type {Ingress, IngressClass} from '../../../sdk/types/unchecked/networking/v1.js';
import {KeyLoop} from '../../families/queues/key-loop.js';

const ingressType = namespaced<Ingress & ApiObject>('networking.orch', 'v1', 'ingresses', 'Ingress');
const classType = clusterWide<IngressClass & ApiObject>('networking.orch', 'v1', 'ingressclasses', 'IngressClass');

/** Classes with such a controller are simulated. */
const simulatedPrefix = 'simulate.orch/';

/** Says of Ingresses of simulated classes that they can be reached. */
@controller()
export class IngressStatus implements Controller {
  readonly #resources: ResourceClient;
  readonly #address: string;
  readonly #loop: KeyLoop;
  readonly #ingresses: CacheInformer<Ingress & ApiObject>;
  readonly #classes: CacheInformer<IngressClass & ApiObject>;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
  ) {
    this.#resources = resources;
    this.#address = config['ingressAddress'] as string;
    this.#loop = new KeyLoop(
      {resources, logger, metrics, concurrency: 5},
      {
        component: 'ingress-status',
        queue: 'ingress-status',
        failure: 'the status of an Ingress could not be written',
        reconcile: (key) => this.#reconcile(key),
      },
    );
    const {add, failed} = this.#loop;
    this.#ingresses = new CacheInformer(cache, ingressType, {changed: add, failed});
    // Any Ingress may be of the class.
    const changed = (): void => {
      for (const {namespace, name} of this.#ingresses.list()) add(`${namespace}/${name}`);
    };
    this.#classes = new CacheInformer(cache, classType, {changed, failed});
  }

  start(signal: AbortSignal): Promise<void> {
    return this.#loop.start(signal, this.#ingresses, this.#classes);
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #reconcile(key: string): Promise<WorkResult> {
    const [namespace, name] = splitObjectKey(key);
    const ingress = (await this.#ingresses.get(name, namespace)) as Ingress | undefined;
    if (!ingress || ingress.metadata.deletionTimestamp || !(await this.#isSimulated(ingress))) return done;
    const [first, ...more] = ingress.status?.loadBalancer?.ingress ?? [];
    if (first?.ip === this.#address && more.length === 0) return done;
    const changed = {...ingress, status: {...ingress.status, loadBalancer: {ingress: [{ip: this.#address}]}}};
    try {
      await this.#resources.update(ingressType, namespace, changed as ApiObject, 'status');
    } catch (error) {
      // What has changed meanwhile is looked at again when the cache shows it.
      if (isConflict(error) || isNotFound(error)) return done;
      throw error;
    }
    return done;
  }

  async #isSimulated({spec}: Ingress): Promise<boolean> {
    const found = spec?.ingressClassName ? ((await this.#classes.get(spec.ingressClassName)) as IngressClass | undefined) : undefined;
    return found?.spec?.controller?.startsWith(simulatedPrefix) ?? false;
  }
}
