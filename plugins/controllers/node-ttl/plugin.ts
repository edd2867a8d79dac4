import {
  controller,
  ifFound,
  inject,
  Tokens,
  type Controller,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ObjectCache,
  type ResourceClient,
} from '../../../sdk/index.js';
import {CacheInformer, done, splitObjectKey, WorkQueue, type WorkResult} from '../../../sdk/controllers/index.js';
import {clusterWide} from '../../../sdk/types/resource-handle.js';
import {ClusterSize} from './cluster-size.js';

const nodeType = clusterWide('', 'v1', 'nodes', 'Node');

/** Says on each node for how long its agent may keep Secrets and ConfigMaps that it has read. */
@controller()
export class NodeTtl implements Controller {
  readonly #resources: ResourceClient;
  readonly #key: string;
  readonly #nodes: CacheInformer;
  readonly #names = new Set<string>();
  readonly #size = new ClusterSize();
  readonly #queue: WorkQueue;
  #listed: Promise<unknown> = Promise.resolve();

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
  ) {
    this.#resources = resources;
    this.#key = naming.key('node.alpha.orch/ttl');
    this.#queue = new WorkQueue((key) => this.#reconcile(key), {
      clock: resources.clock,
      scheduler: resources.scheduler,
      concurrency: 5,
      figures: {metrics, name: 'ttlcontroller'},
      onError: (key, err) => logger.debug({key, err}, 'a node could not be annotated; retrying'),
    });
    this.#nodes = new CacheInformer(cache, nodeType, {
      changed: (key) => {
        this.#names.add(key);
        this.#queue.add(key);
      },
      deleted: (key) => void this.#names.delete(key),
      failed: (key, err) => logger.warn({key, err}, 'an object cannot be read'),
    });
  }

  start(signal: AbortSignal): Promise<void> {
    this.#listed = this.#nodes.start(signal);
    return Promise.resolve();
  }

  stop(): Promise<void> {
    return this.#queue.close();
  }

  async #reconcile(key: string): Promise<WorkResult> {
    await this.#listed;
    const [, name] = splitObjectKey(key);
    const metadata = this.#nodes.metadataView(name)?.metadata();
    const wanted = String(this.#size.ttl(this.#names.size));
    if (metadata && metadata.annotations?.[this.#key] !== wanted)
      await ifFound(this.#resources.patch(nodeType, '', name, {metadata: {annotations: {[this.#key]: wanted}}}));
    return done;
  }
}
