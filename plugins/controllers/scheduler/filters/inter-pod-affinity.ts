import type {ClusterEvent} from '../cluster/cluster-event.js';
import type {ClusterState} from '../cluster/cluster-state.js';
import type {KnownPod} from '../model/known-pod.js';
import type {ReadyNode} from '../model/node-state.js';
import type {LabelledPod, NamespaceLabels, PodTerm} from '../model/pod-terms.js';
import {refusal, type Filter, type MovableFilter, type Refusal} from './filter.js';
import {TopologyCounts} from './topology-counts.js';

const existingKeepAway = refusal(false, "node(s) didn't satisfy existing pods anti-affinity rules");
const notNear = refusal(true, "node(s) didn't match pod affinity rules");
const tooNear = refusal(false, "node(s) didn't match pod anti-affinity rules");

/** How many pods are near each node that matter for one pod that is to be placed. */
interface Counts {
  /** Pods that want this one far from them. */
  readonly existing: TopologyCounts;
  /** Pods that it wants near it: those that meet all of its terms. */
  readonly near: TopologyCounts;
  /** Pods that it wants far from it. */
  readonly far: TopologyCounts;
}

/** What pods require of others that come near them, and of those that are there. */
export const interPodAffinity: Filter = {
  name: 'InterPodAffinity',
  prepare: (pod, cluster) => {
    const counts = countsFor(pod, cluster);
    const {required = [], requiredAnti = []} = pod.shape.terms ?? {};
    if (counts.existing.isEmpty && required.length === 0 && requiredAnti.length === 0) return undefined;
    return new AffinityFilter(pod, cluster.labelsOf, counts);
  },
  mayHelp,
};

class AffinityFilter implements MovableFilter {
  readonly #pod: KnownPod;
  readonly #labelsOf: NamespaceLabels;
  readonly #counts: Counts;
  readonly #required: readonly PodTerm[];
  readonly #anti: readonly PodTerm[];

  constructor(pod: KnownPod, labelsOf: NamespaceLabels, counts: Counts) {
    this.#pod = pod;
    this.#labelsOf = labelsOf;
    this.#counts = counts;
    this.#required = pod.shape.terms?.required ?? [];
    this.#anti = pod.shape.terms?.requiredAnti ?? [];
  }

  check({facts: {labels}}: ReadyNode): Refusal | undefined {
    if (!this.#isNear(labels)) return notNear;
    for (const {topologyKey} of this.#anti)
      if (Object.hasOwn(labels, topologyKey) && this.#counts.far.get(topologyKey, labels[topologyKey]!) > 0) return tooNear;
    for (const key of this.#counts.existing.keys())
      if (Object.hasOwn(labels, key) && this.#counts.existing.get(key, labels[key]!) > 0) return existingKeepAway;
    return undefined;
  }

  fork(): AffinityFilter {
    const {existing, near, far} = this.#counts;
    const counts = {existing: new TopologyCounts(existing), near: new TopologyCounts(near), far: new TopologyCounts(far)};
    return new AffinityFilter(this.#pod, this.#labelsOf, counts);
  }

  add(pod: KnownPod, node: ReadyNode): void {
    countOne(this.#counts, this.#pod, pod.shape, node.facts.labels, 1, this.#labelsOf);
  }

  remove(pod: KnownPod, node: ReadyNode): void {
    countOne(this.#counts, this.#pod, pod.shape, node.facts.labels, -1, this.#labelsOf);
  }

  #isNear(labels: Readonly<Record<string, string>>): boolean {
    let isMet = true;
    for (const {topologyKey} of this.#required) {
      if (!Object.hasOwn(labels, topologyKey)) return false;
      if (this.#counts.near.get(topologyKey, labels[topologyKey]!) <= 0) isMet = false;
    }
    // The first of pods that want to be near each other has nobody to be near to.
    return isMet || (this.#counts.near.isEmpty && this.#required.every((term) => term.matches(this.#pod.shape, this.#labelsOf)));
  }
}

type Shape = LabelledPod & Pick<KnownPod['shape'], 'terms'>;

function countOne(
  counts: Counts,
  incoming: KnownPod,
  shape: Shape,
  labels: Readonly<Record<string, string>> | undefined,
  amount: number,
  labelsOf: NamespaceLabels,
): void {
  for (const term of shape.terms?.requiredAnti ?? [])
    if (term.matches(incoming.shape, labelsOf)) counts.existing.add(term.topologyKey, labels, amount);
  const {required = [], requiredAnti = []} = incoming.shape.terms ?? {};
  if (required.length > 0 && required.every((term) => term.matches(shape, labelsOf)))
    for (const {topologyKey} of required) counts.near.add(topologyKey, labels, amount);
  for (const term of requiredAnti) if (term.matches(shape, labelsOf)) counts.far.add(term.topologyKey, labels, amount);
}

function countsFor(pod: KnownPod, {shapes, labelsOf}: ClusterState): Counts {
  const counts = {existing: new TopologyCounts(), near: new TopologyCounts(), far: new TopologyCounts()};
  const {required = [], requiredAnti = []} = pod.shape.terms ?? {};
  // A pod that wants nothing of others needs to look only at those that want something.
  const others = required.length > 0 || requiredAnti.length > 0 ? shapes.all() : shapes.withTerms;
  for (const shape of others) {
    for (const [{facts}, {all}] of shape.placed) countOne(counts, pod, shape, facts?.labels, all, labelsOf);
  }
  return counts;
}

function mayHelp(pod: KnownPod, event: ClusterEvent, {labelsOf}: ClusterState): boolean {
  const {required = [], requiredAnti = []} = pod.shape.terms ?? {};
  const wanted = (other: KnownPod) => required.some((term) => term.matches(other.shape, labelsOf));
  const unwanted = (other: KnownPod) =>
    requiredAnti.some((term) => term.matches(other.shape, labelsOf)) ||
    (other.shape.terms?.requiredAnti ?? []).some((term) => term.matches(pod.shape, labelsOf));
  switch (event.type) {
    case 'node':
      return !event.before || JSON.stringify(event.before.labels) !== JSON.stringify(event.now.labels);
    case 'placed':
      return wanted(event.pod);
    case 'removed':
      return unwanted(event.pod) || wanted(event.pod);
    case 'changed':
      return wanted(event.pod) || unwanted(event.before);
    case 'namespace':
      return true;
    default:
      return false;
  }
}
