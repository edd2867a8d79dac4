import type {ClusterEvent} from '../cluster/cluster-event.js';
import type {ClusterState} from '../cluster/cluster-state.js';
import type {KnownPod} from '../model/known-pod.js';
import type {NodeFacts, PodPlace} from '../model/node-facts.js';
import type {ReadyNode} from '../model/node-state.js';
import type {PodShape} from '../model/pod-shape.js';
import type {SpreadConstraint} from '../model/spread-constraints.js';
import {isKeptAway} from '../../../families/placement/tolerations.js';
import {refusal, type Filter, type MovableFilter, type Refusal} from './filter.js';

const skewed = refusal(false, "node(s) didn't match pod topology spread constraints");
const unlabelled = refusal(true, "node(s) didn't match pod topology spread constraints (missing required label)");

/** Pods of one kind are spread evenly over zones, or whatever a label divides nodes into. */
export const podTopologySpread: Filter = {
  name: 'PodTopologySpread',
  prepare: (pod, cluster) => {
    const {hardSpread} = pod.shape;
    if (hardSpread.length === 0) return undefined;
    return new SpreadFilter(
      pod,
      hardSpread.map((constraint) => countDomains(constraint, pod, cluster)),
    );
  },
  mayHelp,
};

/** Whether a node has the labels of all constraints. */
export function hasAllKeys(constraints: readonly SpreadConstraint[], {labels}: NodeFacts): boolean {
  return constraints.every(({topologyKey}) => Object.hasOwn(labels, topologyKey));
}

/** Whether a node counts for a constraint of a pod. */
export function isIncluded({honorsAffinity, honorsTaints}: SpreadConstraint, {nodes, tolerations}: PodShape, facts: NodeFacts): boolean {
  if (honorsAffinity && nodes && !nodes.matches(facts)) return false;
  return !honorsTaints || !isKeptAway(facts.taints, tolerations);
}

/** The pods in each part of the cluster. */
interface Domains {
  readonly constraint: SpreadConstraint;
  readonly counts: Map<string, number>;
  /** The least of the counts; undefined until it is asked for again. */
  least: number | undefined;
}

function countDomains(constraint: SpreadConstraint, {shape}: KnownPod, cluster: ClusterState): Domains {
  const counts = new Map<string, number>();
  const counted = new Set<PodPlace>();
  for (const node of cluster.nodes) {
    if (!hasAllKeys(shape.hardSpread, node.facts) || !isIncluded(constraint, shape, node.facts)) continue;
    counted.add(node);
    const value = node.facts.labels[constraint.topologyKey]!;
    if (!counts.has(value)) counts.set(value, 0);
  }
  if (!constraint.countsNothing) {
    for (const placed of cluster.placesOf(shape.namespace, constraint.selects)) {
      for (const [place, {live}] of placed) {
        if (!counted.has(place)) continue;
        const value = place.facts!.labels[constraint.topologyKey]!;
        counts.set(value, counts.get(value)! + live);
      }
    }
  }
  return {constraint, counts, least: undefined};
}

class SpreadFilter implements MovableFilter {
  readonly #pod: KnownPod;
  readonly #domains: readonly Domains[];

  constructor(pod: KnownPod, domains: readonly Domains[]) {
    this.#pod = pod;
    this.#domains = domains;
  }

  check({facts: {labels}}: ReadyNode): Refusal | undefined {
    for (const domains of this.#domains) {
      const {constraint, counts} = domains;
      if (!Object.hasOwn(labels, constraint.topologyKey)) return unlabelled;
      const own = constraint.selects(this.#pod.shape.labels) ? 1 : 0;
      const there = counts.get(labels[constraint.topologyKey]!) ?? 0;
      if (there + own - leastOf(domains) > constraint.maxSkew) return skewed;
    }
    return undefined;
  }

  fork(): SpreadFilter {
    return new SpreadFilter(
      this.#pod,
      this.#domains.map(({constraint, counts, least}) => ({constraint, counts: new Map(counts), least})),
    );
  }

  add(pod: KnownPod, node: ReadyNode): void {
    this.#move(pod, node, 1);
  }

  remove(pod: KnownPod, node: ReadyNode): void {
    this.#move(pod, node, -1);
  }

  #move({shape}: KnownPod, {facts}: ReadyNode, amount: number): void {
    const own = this.#pod.shape;
    if (shape.namespace !== own.namespace || !hasAllKeys(own.hardSpread, facts)) return;
    for (const domains of this.#domains) {
      const {constraint, counts} = domains;
      if (!constraint.selects(shape.labels) || !isIncluded(constraint, own, facts)) continue;
      const value = facts.labels[constraint.topologyKey]!;
      counts.set(value, (counts.get(value) ?? 0) + amount);
      domains.least = undefined;
    }
  }
}

/** With fewer parts than the pod demands, the least counts as none. */
function leastOf(domains: Domains): number {
  if (domains.least !== undefined) return domains.least;
  const {constraint, counts} = domains;
  let least = Infinity;
  if (counts.size < constraint.minDomains) least = 0;
  else for (const count of counts.values()) if (count < least) least = count;
  return (domains.least = least);
}

function mayHelp({shape}: KnownPod, event: ClusterEvent): boolean {
  const isCounted = (other: KnownPod) =>
    other.shape.namespace === shape.namespace && shape.hardSpread.some(({selects}) => selects(other.shape.labels));
  switch (event.type) {
    case 'node': {
      const {before, now} = event;
      if (!hasAllKeys(shape.hardSpread, now)) return before !== undefined && hasAllKeys(shape.hardSpread, before);
      return (
        !before ||
        JSON.stringify(before.taints) !== JSON.stringify(now.taints) ||
        JSON.stringify(before.labels) !== JSON.stringify(now.labels)
      );
    }
    case 'node gone':
      return hasAllKeys(shape.hardSpread, event.before);
    case 'placed':
    case 'removed':
      return isCounted(event.pod);
    case 'changed':
      return isCounted(event.pod) !== isCounted(event.before);
    default:
      return false;
  }
}
