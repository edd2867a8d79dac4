import {
  controller,
  ifFound,
  inject,
  Tokens,
  unlessOvertaken,
  type ApiObject,
  type Clock,
  type FeatureGates,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ResourceClient,
} from '../../../sdk/index.js';
import {done, Reconciler, type WorkResult} from '../../../sdk/controllers/index.js';
import type {ConfigMap} from '../../../sdk/types/unchecked/core/v1.js';
import {dayOf, isDay, trackingName} from './legacy-token-names.js';

const configMaps = {group: '', version: 'v1', resource: 'configmaps'};

/**
 * Says in the ConfigMap `kube-apiserver-legacy-service-account-token-tracking` of the system namespace since which day uses of tokens in Secrets are noted, for whoever deletes those
 * that nobody uses; or that they are not, by its absence. Part of the API server, as in Kubernetes.
 */
@controller()
export class LegacyTokenTracking extends Reconciler {
  readonly #namespace: string;
  readonly #name: string;
  readonly #resources: ResourceClient;
  readonly #clock: Clock;
  readonly #gates: FeatureGates;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Clock) clock: Clock,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
  ) {
    const name = trackingName(naming);
    super({
      resources,
      naming,
      logger,
      concurrency: 1,
      figures: {metrics, name: 'legacy-token-tracking'},
      types: [{ref: configMaps, startFromCache: true, fieldSelector: `metadata.name=${name}`, changed: () => [name], listed: () => [name]}],
      reconcile: () => this.#sync(),
    });
    this.#name = name;
    this.#namespace = naming.systemNamespace;
    this.#resources = resources;
    this.#clock = clock;
    this.#gates = gates;
  }

  async #sync(): Promise<WorkResult> {
    const namespace = this.#namespace;
    const found = (await ifFound(this.#resources.get(configMaps, namespace, this.#name))) as ConfigMap | undefined;
    if (!this.#gates.enabled('LegacyServiceAccountTokenTracking')) {
      if (found && !found.metadata.deletionTimestamp) await unlessOvertaken(this.#resources.delete(configMaps, namespace, this.#name));
      return done;
    }
    const since = dayOf(this.#clock.now());
    if (!found) {
      const metadata = {name: this.#name, namespace};
      await unlessOvertaken(
        this.#resources.create(configMaps, namespace, {apiVersion: 'v1', kind: 'ConfigMap', metadata, data: {since}} as ApiObject),
      );
    } else if (!isDay(found.data?.['since'])) {
      await unlessOvertaken(this.#resources.update(configMaps, namespace, {...found, data: {...found.data, since}} as ApiObject));
    }
    return done;
  }
}
