import type {ApiObject, ObjectCache} from '../../../../sdk/index.js';
import {CacheInformer, splitObjectKey} from '../../../../sdk/controllers/index.js';
import {clusterWide, namespaced} from '../../../../sdk/types/resource-handle.js';
import type {Node, Pod} from '../../../../sdk/types/unchecked/core/v1.js';
import type {PodDisruptionBudget} from '../../../../sdk/types/unchecked/policy/v1.js';
import {knownBudget, type KnownBudget} from '../model/known-budget.js';
import {knownPod} from '../model/known-pod.js';
import {nodeFacts} from '../model/node-facts.js';
import type {ClusterEvent} from './cluster-event.js';
import type {ClusterState} from './cluster-state.js';
import type {PodRecords} from './pod-records.js';

const types = {
  pods: namespaced<Pod & ApiObject>('', 'v1', 'pods', 'Pod'),
  nodes: clusterWide<Node & ApiObject>('', 'v1', 'nodes', 'Node'),
  namespaces: clusterWide('', 'v1', 'namespaces', 'Namespace'),
  budgets: namespaced<PodDisruptionBudget & ApiObject>('policy', 'v1', 'poddisruptionbudgets', 'PodDisruptionBudget'),
};

/** The labels of all namespaces. */
export type NamespaceRecords = Map<string, Readonly<Record<string, string>>>;

export interface FollowerParts {
  readonly cache: ObjectCache;
  readonly cluster: ClusterState;
  readonly records: PodRecords;
  readonly namespaces: NamespaceRecords;
  readonly happened: (event: ClusterEvent) => void;
  /** An object cannot be read: it counts as missing. */
  readonly failed: (key: string, error: unknown) => void;
}

/** Keeps what decisions are made on up to date from the server's cache: an object is read once for each change, and a summary of it kept. */
export class ClusterFollowers {
  readonly #parts: FollowerParts;
  readonly #budgets = new Map<string, KnownBudget>();
  readonly #informers: readonly CacheInformer<ApiObject>[];

  constructor(parts: FollowerParts) {
    this.#parts = parts;
    const {cluster, records, namespaces, happened} = parts;
    this.#informers = [
      this.#follow(types.nodes, (_key, node, name) => {
        if (!node) {
          const before = cluster.deleteNode(name);
          if (before) happened({type: 'node gone', before});
          return;
        }
        const now = nodeFacts(node as Node);
        const before = cluster.setNode(now);
        if (before !== 'same') happened({type: 'node', before, now});
      }),
      this.#follow(types.pods, (key, pod) => records.put(key, pod && knownPod(key, pod as Pod, cluster.shapes))),
      this.#follow(types.namespaces, (_key, namespace, name) => {
        if (namespace) namespaces.set(name, {...namespace.metadata.labels});
        else namespaces.delete(name);
        happened({type: 'namespace'});
      }),
      this.#follow(types.budgets, (key, budget) => {
        if (budget) this.#budgets.set(key, knownBudget(budget as PodDisruptionBudget));
        else this.#budgets.delete(key);
      }),
    ];
  }

  get budgets(): readonly KnownBudget[] {
    return [...this.#budgets.values()];
  }

  /** Resolves when everything that exists is known. */
  async start(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#informers.map((informer) => informer.start(signal)));
  }

  #follow(
    type: (typeof types)[keyof typeof types],
    put: (key: string, object: Readonly<ApiObject> | undefined, name: string) => void,
  ): CacheInformer<ApiObject> {
    const {cache, failed} = this.#parts;
    const guarded = (key: string, work: () => void): void => {
      try {
        work();
      } catch (error) {
        failed(key, error);
      }
    };
    const look = (key: string): void => {
      const [namespace, name] = splitObjectKey(key);
      guarded(key, () => {
        put(key, informer.getNow(name, namespace), name);
      });
    };
    const informer: CacheInformer<ApiObject> = new CacheInformer<ApiObject>(cache, type as typeof types.namespaces, {
      changed: look,
      deleted: (key) => guarded(key, () => put(key, undefined, splitObjectKey(key)[1])),
      failed,
    });
    return informer;
  }
}
