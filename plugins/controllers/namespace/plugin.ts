import {
  controller,
  inject,
  namespaceFinalizer,
  Tokens,
  type AggregatedVersions,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ResourceClient,
} from '../../../sdk/index.js';
import {Reconciler} from '../../../sdk/controllers/index.js';
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
export class NamespaceController extends Reconciler {
  #deleter: NamespaceDeleter | undefined;
  readonly #finalizer: string;
  readonly #resources: ResourceClient;
  readonly #settleMillis: number;
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
    const finalizer = namespaceFinalizer(naming);
    super({
      resources,
      naming,
      logger,
      concurrency: config['concurrency'] as number,
      figures: {metrics, name: 'namespace'},
      types: [
        {
          ref: namespaces,
          changed: (namespace) => (isDeletedBy(namespace, finalizer) ? [namespace.metadata.name!] : []),
          deleted: () => [],
        },
      ],
      reconcile: (name) => this.#deleter!.sync(name),
    });
    this.#resources = resources;
    this.#settleMillis = config['settleMilliseconds'] as number;
    this.#naming = naming;
    this.#versions = versions;
    this.#finalizer = finalizer;
  }

  override start(signal: AbortSignal): Promise<void> {
    const aggregated = new AggregatedContent(this.#versions, this.#naming, signal);
    this.#deleter = new NamespaceDeleter(this.#resources, aggregated, this.#finalizer, this.#settleMillis);
    return super.start(signal);
  }
}
