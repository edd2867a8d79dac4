import type {ClusterState} from '../cluster/cluster-state.js';
import {hasAllKeys, isIncluded} from '../filters/pod-topology-spread.js';
import type {DefaultSpread} from '../model/default-spread.js';
import type {KnownPod} from '../model/known-pod.js';
import type {NodeFacts, PodPlace} from '../model/node-facts.js';
import type {ReadyNode} from '../model/node-state.js';
import type {PlacedCount} from '../model/pod-shape.js';
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

type Places = ReadonlyMap<PodPlace, Readonly<PlacedCount>>;

/** The pods in each part of the cluster by one constraint. */
interface Part {
  readonly topologyKey: string;
  /** What a greater skew allows. */
  readonly allowance: number;
  readonly weight: number;
  /** Where each node is a part of its own: where the pods are. */
  readonly places: readonly Places[];
  /** By the value of the label otherwise. */
  readonly byValue: ReadonlyMap<string, number> | undefined;
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
    const left = this.#ignored.size === 0 ? nodes : nodes.filter((node) => !this.#ignored.has(node));
    this.#parts = constraints.map((constraint) => {
      const {topologyKey, maxSkew} = constraint;
      const {countsNothing, selects} = constraint;
      const isByNode = topologyKey === hostnameKey;
      const countsSome = needsAllKeys || constraint.honorsTaints || (constraint.honorsAffinity && shape.nodes !== undefined);
      const places = countsNothing || !(isByNode || countsSome) ? [] : cluster.placesOf(shape.namespace, selects);
      const isCounted = (facts: NodeFacts) => (!needsAllKeys || hasAllKeys(constraints, facts)) && isIncluded(constraint, shape, facts);
      const byValue = isByNode
        ? undefined
        : countsSome
          ? countByValue(topologyKey, left, places, isCounted)
          : countAll(topologyKey, left, countsNothing ? [] : cluster.livePlacesOf(shape.namespace, selects, topologyKey));
      const size = byValue?.size ?? left.length;
      return {topologyKey, allowance: maxSkew - 1, weight: Math.log(size + 2), places, byValue};
    });
  }

  of(node: ReadyNode): number {
    if (this.#ignored.has(node)) return 0;
    let sum = 0;
    const {labels} = node.facts;
    for (const {topologyKey, allowance, weight, places, byValue} of this.#parts) {
      if (!Object.hasOwn(labels, topologyKey)) continue;
      let count = 0;
      if (byValue) count = byValue.get(labels[topologyKey]!) ?? 0;
      else for (const placed of places) count += placed.get(node)?.live ?? 0;
      sum += count * weight + allowance;
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

/** Pods by the value of a label, for the values that one of the nodes has, where all nodes count. */
function countAll(key: string, nodes: readonly ReadyNode[], all: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const {facts} of nodes) counts.set(facts.labels[key] ?? '', 0);
  for (const counted of all) {
    for (const [value, count] of counted) {
      const before = counts.get(value);
      if (before !== undefined) counts.set(value, before + count);
    }
  }
  return counts;
}

/** The same where only some nodes count. */
function countByValue(
  key: string,
  nodes: readonly ReadyNode[],
  places: readonly Places[],
  isCounted: (facts: NodeFacts) => boolean,
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const {facts} of nodes) counts.set(facts.labels[key] ?? '', 0);
  for (const placed of places) {
    for (const [{facts}, {live}] of placed) {
      if (!facts || live === 0 || !isCounted(facts)) continue;
      const value = facts.labels[key] ?? '';
      const before = counts.get(value);
      if (before !== undefined) counts.set(value, before + live);
    }
  }
  return counts;
}
