import {
  controller,
  ifFound,
  inject,
  isConflict,
  Tokens,
  type ApiObject,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ObjectCache,
  type ResourceClient,
} from '../../../sdk/index.js';
import {done, objectKey, Reconciler, splitObjectKey, type WorkResult} from '../../../sdk/controllers/index.js';
import type {Ingress, IngressClass} from '../../../sdk/types/unchecked/networking/v1.js';

const ingresses = {group: 'networking.orch', version: 'v1', resource: 'ingresses'};
const classes = {group: 'networking.orch', version: 'v1', resource: 'ingressclasses'};

/** Classes with such a controller are simulated. */
const simulatedPrefix = 'simulate.orch/';

/** Says of Ingresses of simulated classes that they can be reached. */
@controller()
export class IngressStatus extends Reconciler {
  readonly #resources: ResourceClient;
  readonly #address: string;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
  ) {
    super({
      resources,
      cache,
      naming,
      logger,
      concurrency: 5,
      figures: {metrics, name: 'ingress-status'},
      types: [
        {ref: ingresses, deleted: () => []},
        {ref: classes, changed: () => [everything], deleted: () => []},
      ],
      reconcile: (key) => this.#reconcile(key),
    });
    this.#resources = resources;
    this.#address = config['ingressAddress'] as string;
  }

  async #reconcile(key: string): Promise<WorkResult> {
    if (key === everything) {
      const {items} = await this.#resources.list(ingresses, '', {resourceVersion: '0'});
      for (const ingress of items) this.add(objectKey(ingress));
      return done;
    }
    const [namespace, name] = splitObjectKey(key);
    const ingress = (await ifFound(this.#resources.get(ingresses, namespace, name))) as Ingress | undefined;
    if (!ingress || ingress.metadata.deletionTimestamp || !(await this.#isSimulated(ingress))) return done;
    const [first, ...more] = ingress.status?.loadBalancer?.ingress ?? [];
    if (first?.ip === this.#address && more.length === 0) return done;
    const changed = {...ingress, status: {...ingress.status, loadBalancer: {ingress: [{ip: this.#address}]}}};
    try {
      await this.#resources.update(ingresses, namespace, changed as ApiObject, 'status');
    } catch (error) {
      if (isConflict(error)) return {again: 0};
      throw error;
    }
    return done;
  }

  async #isSimulated({spec}: Ingress): Promise<boolean> {
    if (!spec?.ingressClassName) return false;
    const found = (await ifFound(this.#resources.get(classes, '', spec.ingressClassName))) as IngressClass | undefined;
    return found?.spec?.controller?.startsWith(simulatedPrefix) ?? false;
  }
}

/** A key that no object has. */
const everything = '*';
