import {
  controller,
  inject,
  namespaceFinalizer,
  Tokens,
  type AggregatedVersions,
  type FeatureGates,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ResourceClient,
} from '../../../sdk/index.js';
import {Reconciler} from '../../../sdk/controllers/index.js';
import {AggregatedContent} from './aggregated-content.js';
import {NamespaceDeleter, type DeleterOptions} from './namespace-deleter.js';
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
  readonly #options: DeleterOptions;
  readonly #resources: ResourceClient;
  readonly #naming: NamingProfile;
  readonly #versions: AggregatedVersions;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.AggregatedVersions) versions: AggregatedVersions,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
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
    this.#naming = naming;
    this.#versions = versions;
    this.#options = {
      finalizer,
      settleMillis: config['settleMilliseconds'] as number,
      podsFirst: gates.enabled('OrderedNamespaceDeletion'),
    };
  }

  override start(signal: AbortSignal): Promise<void> {
    const aggregated = new AggregatedContent(this.#versions, this.#naming, signal);
    this.#deleter = new NamespaceDeleter(this.#resources, aggregated, this.#options);
    return super.start(signal);
  }
}
