import {
  controller,
  inject,
  Tokens,
  type FeatureGates,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ObjectCache,
  type ResourceClient,
} from '../../../sdk/index.js';
import type {ReplicaSet} from '../../../sdk/types/unchecked/apps/v1.js';
import {ReplicaController} from '../../families/replicas/replica-controller.js';
import type {ReplicaKind} from '../../families/replicas/replica-kind.js';

const replicaSets: ReplicaKind = {
  ref: {group: 'apps', version: 'v1', resource: 'replicasets'},
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  component: 'replicaset-controller',
  queue: 'replicaset',
  countsTerminating: true,
  selectorOf: (set) => (set as ReplicaSet).spec?.selector ?? undefined,
};

/** Keeps the pods of ReplicaSets. */
@controller()
export class ReplicaSetController extends ReplicaController {
  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
  ) {
    super(replicaSets, {resources, cache, naming, gates, logger, metrics, concurrency: config['concurrency'] as number});
  }
}
