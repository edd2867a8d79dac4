import type {ClusterState} from '../cluster/cluster-state.js';
import type {KnownPod} from '../model/known-pod.js';
import type {ReadyNode} from '../model/node-state.js';

/** The best score of a node. */
export const best = 100;

/** A score for one pod, prepared for the nodes that come into question. */
export interface PreparedScore {
  of(node: ReadyNode): number;
  /** Brings the scores of all nodes between 0 and `best`; they are there already without it. */
  normalize?(scores: number[], nodes: readonly ReadyNode[]): void;
}

/** A rule of where pods are better off. The names are those of Kubernetes' plugins. */
export interface Score {
  readonly name: string;
  /** @returns undefined if all nodes are equal to it */
  prepare(pod: KnownPod, nodes: readonly ReadyNode[], cluster: ClusterState): PreparedScore | undefined;
}

/** The highest score becomes the best one. @param isReversed the lowest does */
export function normalizeByHighest(scores: number[], isReversed = false): void {
  let highest = 0;
  for (const score of scores) if (score > highest) highest = score;
  for (let index = 0; index < scores.length; index += 1) {
    const share = highest === 0 ? 0 : Math.trunc((best * scores[index]!) / highest);
    scores[index] = isReversed ? best - share : share;
  }
}
