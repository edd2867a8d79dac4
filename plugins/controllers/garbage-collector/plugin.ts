import {
  controller,
  inject,
  Tokens,
  type Controller,
  type Logger,
  type Metrics,
  type ObjectCache,
  type ResourceClient,
} from '../../../sdk/index.js';
import {WorkQueue} from '../../../sdk/controllers/index.js';
import {Collector} from './collector.js';
import {followType} from './follow-type.js';
import {FollowedTypes} from './followed-types.js';
import {deletionState, type GraphNode, type OwnerLink} from './graph-node.js';
import {InvalidNamespaceEvents} from './invalid-namespace-events.js';
import {ObjectGraph} from './object-graph.js';
import {OwnerCheck} from './owner-check.js';

/**
 * Deletes objects whose owners do not exist, and completes deletions that wait for dependents (docs/semantics/deletion.md#dependents). Follows all
 * types through the server's cache and keeps only the graph of owner references.
 */
@controller()
export class GarbageCollector implements Controller {
  readonly #resources: ResourceClient;
  readonly #cache: ObjectCache;
  readonly #logger: Logger;
  readonly #metrics: Metrics;
  readonly #config: Readonly<Record<string, unknown>>;
  #stop: () => Promise<void> = () => Promise.resolve();

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
  ) {
    this.#resources = resources;
    this.#cache = cache;
    this.#logger = logger;
    this.#metrics = metrics;
    this.#config = config;
  }

  start(_signal: AbortSignal): Promise<void> {
    const resources = this.#resources;
    const logger = this.#logger;
    const events = new InvalidNamespaceEvents({resources, logger});
    const graph = new ObjectGraph({
      check: (uid) => queue.add(uid),
      checkDependents: (uid) => void collector.checkDependents(uid),
      invalidNamespace: (dependent, link) => events.record(dependent, link),
      find: (link) => this.#find(types, link),
    });
    const types = new FollowedTypes(
      resources,
      this.#cache,
      (type) => followType(type, graph),
      () => collector.typesChanged(),
    );
    const owners = new OwnerCheck(resources, types);
    const collector = new Collector({resources, cache: this.#cache, graph, types, owners, events});
    const queue = new WorkQueue((uid) => collector.look(uid), {
      clock: resources.clock,
      scheduler: resources.scheduler,
      concurrency: this.#config['concurrency'] as number,
      figures: {metrics: this.#metrics, name: 'garbage_collector'},
      onError: (uid, error) => logger.warn({...described(graph.get(uid)), err: error}, 'garbage could not be collected; it is tried again'),
    });
    collector.start(queue);
    types.start();
    this.#stop = async () => {
      collector.stop();
      types.stop();
      await queue.close();
      await events.close();
    };
    return Promise.resolve();
  }

  stop(): Promise<void> {
    return this.#stop();
  }

  /** An owner that is not in the graph yet, because it has no owners itself. */
  #find(types: FollowedTypes, {apiVersion, kind, name, namespace, owner}: OwnerLink) {
    const type = types.ofKind(apiVersion, kind);
    if (!type) return undefined;
    const found = this.#cache.find(type, type.namespaced ? namespace : '', name);
    const metadata = found?.metadata();
    return found && metadata?.uid === owner.uid ? {type, key: found.key, state: deletionState(metadata)} : undefined;
  }
}

function described(node: GraphNode | undefined) {
  return node?.type ? {resource: node.type.resource, namespace: node.namespace, name: node.name} : {};
}
