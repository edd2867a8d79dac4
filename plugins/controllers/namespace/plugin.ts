import {
  controller,
  inject,
  namespaceFinalizer,
  Tokens,
  type AggregatedVersions,
  type ApiObject,
  type Controller,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ResourceClient,
} from '../../../sdk/index.js';
import {followObjects, WorkQueue} from '../../../sdk/controllers/index.js';
import {AggregatedContent} from './aggregated-content.js';
import {NamespaceDeleter} from './namespace-deleter.js';
import {isDeletedBy, namespaces} from './namespace-object.js';

/**
 * Empties namespaces that are being deleted (docs/semantics/deletion.md#namespaces). Every terminating namespace is processed until it is
 * empty and its finalizer has been removed.
 *
 * Several servers may process the same namespace: every step can be repeated, and a conflict only causes another check.
 */
@controller()
export class NamespaceController implements Controller {
  readonly #finalizer: string;
  readonly #abort = new AbortController();
  #running: Promise<unknown> = Promise.resolve();
  #queue: WorkQueue | undefined;
  readonly #resources: ResourceClient;
  readonly #logger: Logger;
  readonly #config: Readonly<Record<string, unknown>>;
  readonly #metrics: Metrics;
  readonly #naming: NamingProfile;
  readonly #versions: AggregatedVersions;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.AggregatedVersions) versions: AggregatedVersions,
  ) {
    this.#resources = resources;
    this.#logger = logger;
    this.#config = config;
    this.#metrics = metrics;
    this.#naming = naming;
    this.#versions = versions;
    this.#finalizer = namespaceFinalizer(naming);
  }

  start(_signal: AbortSignal): Promise<void> {
    const {signal} = this.#abort;
    const aggregated = new AggregatedContent(this.#versions, this.#naming, signal);
    const deleter = new NamespaceDeleter(this.#resources, aggregated, this.#finalizer, this.#config['settleMilliseconds'] as number);
    const queue = new WorkQueue((name) => deleter.sync(name), {
      concurrency: this.#config['concurrency'] as number,
      figures: {metrics: this.#metrics, name: 'namespace'},
      onError: (name, error) => this.#logger.warn({namespace: name, err: error}, 'namespace could not be emptied; it is tried again'),
    });
    this.#queue = queue;
    this.#running = followObjects(
      this.#resources,
      namespaces,
      {
        changed: (object) => this.#take(queue, object),
        failed: (error) => this.#logger.warn({err: error}, 'namespaces cannot be watched; retrying'),
      },
      signal,
    );
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#running;
    await this.#queue?.close();
  }

  #take(queue: WorkQueue, object: ApiObject): void {
    if (isDeletedBy(object, this.#finalizer)) queue.add(object.metadata.name!);
  }
}
