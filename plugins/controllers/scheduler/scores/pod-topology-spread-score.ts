import type {ClusterState} from '../cluster/cluster-state.js';
import {hasAllKeys, isIncluded} from '../filters/pod-topology-spread.js';
import type {DefaultSpread} from '../model/default-spread.js';
import type {KnownPod} from '../model/known-pod.js';
import type {PodPlace} from '../model/node-facts.js';
import type {ReadyNode} from '../model/node-state.js';
import type {PodShape} from '../model/pod-shape.js';
import type {SpreadConstraint} from '../model/spread-constraints.js';
import {best, type PreparedScore, type Score} from './score.js';

/** Nodes in parts of the cluster with the fewest pods of the same kind. @param hostnameKey the label by which each node is a part of its own */
export function podTopologySpreadScore(defaults: DefaultSpread, hostnameKey: string): Score {
  return {
    name: 'PodTopologySpread',
    prepare: (pod, nodes, cluster) => {
      const {softSpread, ownSpread} = pod.shape;
      const constraints = ownSpread ? softSpread : (defaults.constraintsFor(pod.shape) ?? []);
      return constraints.length === 0 ? undefined : new SpreadScore(pod, constraints, ownSpread, hostnameKey, nodes, cluster);
    },
  };
}

/** The pods in each part of the cluster by one constraint. */
interface Part {
  readonly constraint: SpreadConstraint;
  readonly isByNode: boolean;
  readonly byNode: ReadonlyMap<PodPlace, number>;
  readonly byValue: Map<string, number>;
  readonly weight: number;
}

class SpreadScore implements PreparedScore {
  readonly #parts: readonly Part[];
  readonly #ignored = new Set<ReadyNode>();

  constructor(
    {shape}: KnownPod,
    constraints: readonly SpreadConstraint[],
    needsAllKeys: boolean,
    hostnameKey: string,
    nodes: readonly ReadyNode[],
    cluster: ClusterState,
  ) {
    if (needsAllKeys) for (const node of nodes) if (!hasAllKeys(constraints, node.facts)) this.#ignored.add(node);
    this.#parts = constraints.map((constraint) => {
      const {topologyKey} = constraint;
      const isByNode = topologyKey === hostnameKey;
      const byValue = new Map<string, number>();
      if (!isByNode) for (const node of nodes) if (!this.#ignored.has(node)) byValue.set(node.facts.labels[topologyKey] ?? '', 0);
      const size = isByNode ? nodes.length - this.#ignored.size : byValue.size;
      return {constraint, isByNode, byNode: countByNode(constraint, shape, cluster), byValue, weight: Math.log(size + 2)};
    });
    for (const {constraint, isByNode, byNode, byValue} of this.#parts) {
      if (isByNode) continue;
      for (const [{facts}, count] of byNode) {
        if (!facts || (needsAllKeys && !hasAllKeys(constraints, facts)) || !isIncluded(constraint, shape, facts)) continue;
        const value = facts.labels[constraint.topologyKey] ?? '';
        const before = byValue.get(value);
        if (before !== undefined) byValue.set(value, before + count);
      }
    }
  }

  of(node: ReadyNode): number {
    if (this.#ignored.has(node)) return 0;
    let sum = 0;
    for (const {constraint, isByNode, byNode, byValue, weight} of this.#parts) {
      const {topologyKey, maxSkew} = constraint;
      const {labels} = node.facts;
      if (!Object.hasOwn(labels, topologyKey)) continue;
      const count = isByNode ? (byNode.get(node) ?? 0) : (byValue.get(labels[topologyKey]!) ?? 0);
      sum += count * weight + (maxSkew - 1);
    }
    return Math.round(sum);
  }

  normalize(scores: number[], nodes: readonly ReadyNode[]): void {
    let [lowest, highest] = [Infinity, 0];
    scores.forEach((score, index) => {
      if (this.#ignored.has(nodes[index]!)) return;
      lowest = Math.min(lowest, score);
      highest = Math.max(highest, score);
    });
    scores.forEach((score, index) => {
      if (this.#ignored.has(nodes[index]!)) scores[index] = 0;
      else scores[index] = highest === 0 ? best : Math.trunc((best * (highest + lowest - score)) / highest);
    });
  }
}

function countByNode(constraint: SpreadConstraint, {namespace}: PodShape, cluster: ClusterState): ReadonlyMap<PodPlace, number> {
  const counts = new Map<PodPlace, number>();
  if (constraint.countsNothing) return counts;
  for (const [place, count] of cluster.counted(namespace, constraint.selects, true)) counts.set(place, (counts.get(place) ?? 0) + count);
  return counts;
}
