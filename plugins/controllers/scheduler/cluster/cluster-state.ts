import type {KnownPod} from '../model/known-pod.js';
import {isSameForPods, type NodeFacts, type PodPlace} from '../model/node-facts.js';
import {NodeState, type ReadyNode} from '../model/node-state.js';
import type {NamespaceLabels} from '../model/pod-terms.js';
import type {PlacedCount, PodShape, PodShapes} from '../model/pod-shape.js';
import {LiveCounts} from './live-counts.js';

/** The label of nodes that names their zone, and the one that names their region. */
export interface ZoneKeys {
  readonly zone: string;
  readonly region: string;
}

/** All nodes with the pods on them, kept up to date change by change: what decisions are made on. */
export class ClusterState {
  readonly shapes: PodShapes;
  readonly labelsOf: NamespaceLabels;
  /** By the name of the image: how many nodes have it. */
  readonly imageNodes = new Map<string, number>();
  readonly #zones: ZoneKeys;
  readonly #nodes = new Map<string, NodeState>();
  #list: ReadyNode[] | undefined;
  /** Pods for which room is being made, by node. */
  readonly #nominated = new Map<string, Map<string, KnownPod>>();
  readonly #nominationOf = new Map<string, string>();
  readonly #live = new LiveCounts();

  constructor(shapes: PodShapes, labelsOf: NamespaceLabels, zones: ZoneKeys) {
    this.shapes = shapes;
    this.labelsOf = labelsOf;
    this.#zones = zones;
  }

  /** The nodes that are there, those of different zones in turn. */
  get nodes(): readonly ReadyNode[] {
    return (this.#list ??= this.#inTurn());
  }

  /** A node that is there. */
  node(name: string): ReadyNode | undefined {
    const found = this.#nodes.get(name);
    return found?.facts ? (found as ReadyNode) : undefined;
  }

  /**
   * A node is there, or has changed.
   *
   * @returns what it was before; `same` if pods do not notice
   */
  setNode(facts: NodeFacts): NodeFacts | undefined | 'same' {
    const state = this.#state(facts.name);
    const before = state.facts;
    if (before && isSameForPods(before, facts)) return 'same';
    state.facts = facts;
    if (!before || !sameLabels(before, facts)) this.#live.forget();
    this.#countImages(before, -1);
    this.#countImages(facts, 1);
    if (!before || this.#zoneOf(before) !== this.#zoneOf(facts)) this.#list = undefined;
    return before;
  }

  deleteNode(name: string): NodeFacts | undefined {
    const state = this.#nodes.get(name);
    const before = state?.facts;
    if (!state || !before) return undefined;
    this.#countImages(before, -1);
    state.facts = undefined;
    this.#live.forget();
    this.#list = undefined;
    this.#forgetIfEmpty(state);
    return before;
  }

  /** A pod is on a node, or is about to be. */
  place(pod: KnownPod, nodeName: string): void {
    const state = this.#state(nodeName);
    state.add(pod);
    const count = pod.shape.placed.get(state) ?? {all: 0, live: 0};
    count.all += 1;
    if (!pod.isDeleted) count.live += 1;
    pod.shape.placed.set(state, count);
    if (!pod.isDeleted) this.#live.add(pod.shape, state, 1);
  }

  /** It is not there any more. @param pod as it was placed */
  unplace(pod: KnownPod, nodeName: string): void {
    const state = this.#nodes.get(nodeName);
    if (!state?.pods.has(pod.key)) return;
    state.remove(pod);
    const count = pod.shape.placed.get(state);
    if (count) {
      count.all -= 1;
      if (!pod.isDeleted) count.live -= 1;
      if (count.all === 0) pod.shape.placed.delete(state);
      if (!pod.isDeleted) this.#live.add(pod.shape, state, -1);
    }
    this.#forgetIfEmpty(state);
  }

  /** Room on a node is kept for a pod, for those of its priority and above; empty for none. */
  nominate(pod: KnownPod, nodeName: string): void {
    const before = this.#nominationOf.get(pod.key);
    if (before !== undefined) {
      const others = this.#nominated.get(before);
      others?.delete(pod.key);
      if (others?.size === 0) this.#nominated.delete(before);
      this.#nominationOf.delete(pod.key);
    }
    if (nodeName === '') return;
    this.#nominationOf.set(pod.key, nodeName);
    const others = this.#nominated.get(nodeName);
    if (others) others.set(pod.key, pod);
    else this.#nominated.set(nodeName, new Map([[pod.key, pod]]));
  }

  /** The node that a pod has been promised; empty for none. */
  nominationOf(key: string): string {
    return this.#nominationOf.get(key) ?? '';
  }

  nominatedOn(nodeName: string): Iterable<KnownPod> {
    return this.#nominated.get(nodeName)?.values() ?? [];
  }

  get hasNominations(): boolean {
    return this.#nominated.size > 0;
  }

  /** Where the pods of a namespace are that a selector selects: for each form of them, how many are on which node. */
  placesOf(
    namespace: string,
    selects: (labels: Readonly<Record<string, string>>) => boolean,
  ): readonly ReadonlyMap<PodPlace, Readonly<PlacedCount>>[] {
    return this.#selected(namespace, selects).map(({placed}) => placed);
  }

  /** The same by the value of a node label: how many of them stay on the nodes with each. For each form of them. */
  livePlacesOf(
    namespace: string,
    selects: (labels: Readonly<Record<string, string>>) => boolean,
    label: string,
  ): readonly ReadonlyMap<string, number>[] {
    return this.#selected(namespace, selects).map((shape) => this.#live.of(shape, label));
  }

  #selected(namespace: string, selects: (labels: Readonly<Record<string, string>>) => boolean): PodShape[] {
    const found: PodShape[] = [];
    for (const shape of this.shapes.of(namespace)) if (shape.placed.size > 0 && selects(shape.labels)) found.push(shape);
    return found;
  }

  #state(name: string): NodeState {
    const known = this.#nodes.get(name);
    if (known) return known;
    const state = new NodeState(name);
    this.#nodes.set(name, state);
    return state;
  }

  #forgetIfEmpty(state: NodeState): void {
    if (!state.facts && state.pods.size === 0) this.#nodes.delete(state.name);
  }

  #zoneOf({labels}: NodeFacts): string {
    return `${labels[this.#zones.region] ?? ''}\n${labels[this.#zones.zone] ?? ''}`;
  }

  #inTurn(): ReadyNode[] {
    const zones = new Map<string, ReadyNode[]>();
    for (const state of this.#nodes.values()) {
      if (!state.facts) continue;
      const zone = this.#zoneOf(state.facts);
      const others = zones.get(zone);
      if (others) others.push(state as ReadyNode);
      else zones.set(zone, [state as ReadyNode]);
    }
    const all: ReadyNode[] = [];
    const longest = Math.max(0, ...[...zones.values()].map(({length}) => length));
    for (let index = 0; index < longest; index += 1) {
      for (const zone of zones.values()) {
        const node = zone[index];
        if (node) all.push(node);
      }
    }
    return all;
  }

  #countImages(facts: NodeFacts | undefined, sign: 1 | -1): void {
    for (const name of facts?.images.keys() ?? []) {
      const count = (this.imageNodes.get(name) ?? 0) + sign;
      if (count === 0) this.imageNodes.delete(name);
      else this.imageNodes.set(name, count);
    }
  }
}

function sameLabels({labels: one}: NodeFacts, {labels: other}: NodeFacts): boolean {
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key]);
}
