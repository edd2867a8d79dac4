import type {ClusterState} from '../cluster/cluster-state.js';
import type {MovableFilter, PreparedFilter, Refusal} from '../filters/filter.js';
import type {KnownPod} from '../model/known-pod.js';
import {NodeState, type ReadyNode} from '../model/node-state.js';
import type {Profile} from './profile.js';

/** A filter that is prepared, with its name. */
export interface NamedFilter {
  readonly name: string;
  readonly filter: PreparedFilter;
}

/** A refusal with the name of the filter that gave it. */
export interface NamedRefusal {
  readonly name: string;
  readonly refusal: Refusal;
}

/** A pod with the filters of its profile, prepared for the state of the cluster now. */
export class PreparedPod {
  readonly pod: KnownPod;
  readonly filters: readonly NamedFilter[];
  readonly everywhere: NamedRefusal | undefined;
  /** Names of the nodes that alone come into question, and of the filters that say so. */
  readonly only: {readonly nodes: ReadonlySet<string>; readonly by: readonly string[]} | undefined;
  readonly #cluster: ClusterState;

  constructor(pod: KnownPod, {filters}: Profile, cluster: ClusterState) {
    this.pod = pod;
    this.#cluster = cluster;
    const prepared: NamedFilter[] = [];
    let only: PreparedPod['only'];
    let everywhere: NamedRefusal | undefined;
    for (const rule of filters) {
      const {name} = rule;
      const filter = rule.prepare(pod, cluster);
      if (!filter) continue;
      if ('everywhere' in filter) {
        everywhere = {name, refusal: filter.everywhere};
        break;
      }
      if (filter.only) only = {nodes: only ? common(only.nodes, filter.only) : filter.only, by: [...(only?.by ?? []), name]};
      prepared.push({name, filter});
    }
    this.filters = prepared;
    this.everywhere = everywhere;
    this.only = only;
  }

  /** Why the pod cannot be on a node; undefined if it can, also when the pods come that have been promised room there. */
  check(node: ReadyNode): NamedRefusal | undefined {
    if (this.#cluster.hasNominations) {
      const promised = [...this.#cluster.nominatedOn(node.name)].filter(
        ({key, shape}) => key !== this.pod.key && shape.priority >= this.pod.shape.priority && !node.pods.has(key),
      );
      if (promised.length > 0) {
        const trial = new Trial(node, this.filters);
        for (const other of promised) trial.add(other);
        const refused = trial.check();
        if (refused) return refused;
      }
    }
    return firstRefusal(this.filters, node);
  }
}

function common(left: ReadonlySet<string>, right: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...left].filter((name) => right.has(name)));
}

function firstRefusal(filters: readonly NamedFilter[], node: ReadyNode): NamedRefusal | undefined {
  for (const {name, filter} of filters) {
    const found = filter.check(node);
    if (found) return {name, refusal: found};
  }
  return undefined;
}

/** A node as it would be if pods came or went, without changing it. */
export class Trial {
  readonly node: ReadyNode;
  readonly #filters: readonly NamedFilter[];
  readonly #movable: readonly MovableFilter[];

  constructor(node: ReadyNode, filters: readonly NamedFilter[]) {
    this.node = new NodeState(node.name, node) as ReadyNode;
    const movable: MovableFilter[] = [];
    this.#filters = filters.map(({name, filter}) => {
      const forked = filter.fork?.();
      if (!forked) return {name, filter};
      movable.push(forked);
      return {name, filter: forked};
    });
    this.#movable = movable;
  }

  add(pod: KnownPod): void {
    this.node.add(pod);
    for (const filter of this.#movable) filter.add(pod, this.node);
  }

  remove(pod: KnownPod): void {
    this.node.remove(pod);
    for (const filter of this.#movable) filter.remove(pod, this.node);
  }

  check(): NamedRefusal | undefined {
    return firstRefusal(this.#filters, this.node);
  }
}
