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
import type {ReplicationController} from '../../../sdk/types/unchecked/core/v1.js';
import {ReplicaController} from '../../families/replicas/replica-controller.js';
import type {ReplicaKind} from '../../families/replicas/replica-kind.js';

const replicationControllers: ReplicaKind = {
  ref: {group: '', version: 'v1', resource: 'replicationcontrollers'},
  apiVersion: 'v1',
  kind: 'ReplicationController',
  component: 'replication-controller',
  queue: 'replicationmanager',
  countsTerminating: false,
  selectorOf: (set) => ({matchLabels: (set as ReplicationController).spec?.selector ?? {}}),
};

/** Keeps the pods of ReplicationControllers. */
@controller()
export class ReplicationManager extends ReplicaController {
  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
  ) {
    super(replicationControllers, {resources, cache, naming, gates, logger, metrics, concurrency: config['concurrency'] as number});
  }
}
