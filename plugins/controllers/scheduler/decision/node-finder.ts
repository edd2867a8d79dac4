import type {ClusterState} from '../cluster/cluster-state.js';
import {refusal, type Refusal} from '../filters/filter.js';
import type {KnownPod} from '../model/known-pod.js';
import type {ReadyNode} from '../model/node-state.js';
import type {Diagnosis} from './diagnosis.js';
import {PreparedPod} from './prepared-pod.js';
import type {Profile} from './profile.js';

/** Of fewer nodes all are looked at. */
const leastNodes = 100;
const leastPercent = 5;

/** A node for a pod, or why there is none. */
export type Finding = {readonly node: ReadyNode} | {readonly diagnosis: Diagnosis; readonly prepared: PreparedPod};

/** Finds the node on which a pod is best off. Of many nodes it looks at some, each time at those that follow. */
export class NodeFinder {
  readonly #cluster: ClusterState;
  readonly #random: () => number;
  #start = 0;

  /** @param random decides between nodes that are equally good */
  constructor(cluster: ClusterState, random: () => number) {
    this.#cluster = cluster;
    this.#random = random;
  }

  /** @returns undefined if there are no nodes */
  find(pod: KnownPod, profile: Profile): Finding | undefined {
    const {nodes} = this.#cluster;
    if (nodes.length === 0) return undefined;
    const prepared = new PreparedPod(pod, profile, this.#cluster);
    const byNode = new Map<string, Refusal>();
    const refusedBy = new Set<string>(prepared.only?.by);
    const diagnose = (others?: Refusal): Finding => ({
      prepared,
      diagnosis: {nodes: nodes.length, byNode, others, everywhere: prepared.everywhere?.refusal, refusedBy},
    });
    if (prepared.everywhere) {
      refusedBy.add(prepared.everywhere.name);
      return diagnose();
    }
    const promised = this.#cluster.node(this.#cluster.nominationOf(pod.key));
    if (promised && !prepared.check(promised)) return {node: promised};
    const {only} = prepared;
    const candidates = only ? nodes.filter(({name}) => only.nodes.has(name)) : nodes;
    const wanted = profile.scores.length === 0 ? 1 : nodesToFind(candidates.length, profile.percentageOfNodesToScore);
    const fitting: ReadyNode[] = [];
    let looked = 0;
    for (; looked < candidates.length && fitting.length < wanted; looked += 1) {
      const node = candidates[(this.#start + looked) % candidates.length]!;
      const refused = prepared.check(node);
      if (!refused) {
        fitting.push(node);
        continue;
      }
      byNode.set(node.name, refused.refusal);
      refusedBy.add(refused.name);
    }
    this.#start = (this.#start + looked) % nodes.length;
    if (fitting.length === 0) return diagnose(only && refusal(true, `node(s) didn't satisfy plugin(s) [${[...only.by].sort().join(' ')}]`));
    return {node: fitting.length === 1 ? fitting[0]! : this.#bestOf(pod, fitting, profile)};
  }

  #bestOf(pod: KnownPod, nodes: readonly ReadyNode[], profile: Profile): ReadyNode {
    const sums = scoresOf(pod, nodes, profile, this.#cluster);
    let highest = -Infinity;
    let equal = 0;
    let chosen = 0;
    for (let index = 0; index < sums.length; index += 1) {
      const sum = sums[index]!;
      if (sum < highest) continue;
      if (sum > highest) {
        highest = sum;
        equal = 0;
      }
      equal += 1;
      // Each of the equally good ones has the same chance.
      if (this.#random() * equal < 1) chosen = index;
    }
    return nodes[chosen]!;
  }
}

/** The weighted scores of nodes. */
export function scoresOf(pod: KnownPod, nodes: readonly ReadyNode[], {scores}: Profile, cluster: ClusterState): Float64Array {
  const sums = new Float64Array(nodes.length);
  for (const {score, weight} of scores) {
    const prepared = score.prepare(pod, nodes, cluster);
    if (!prepared) continue;
    const own = nodes.map((node) => prepared.of(node));
    prepared.normalize?.(own, nodes);
    for (let index = 0; index < own.length; index += 1) sums[index]! += weight * own[index]!;
  }
  return sums;
}

/** How many nodes are enough to choose from: with many nodes a smaller share. */
export function nodesToFind(nodes: number, percentage: number): number {
  if (nodes < leastNodes) return nodes;
  const percent = percentage > 0 ? percentage : Math.max(leastPercent, 50 - Math.trunc(nodes / 125));
  return Math.max(leastNodes, Math.trunc((nodes * percent) / 100));
}
