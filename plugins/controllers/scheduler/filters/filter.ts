import type {ClusterEvent} from '../cluster/cluster-event.js';
import type {ClusterState} from '../cluster/cluster-state.js';
import type {KnownPod} from '../model/known-pod.js';
import type {ReadyNode} from '../model/node-state.js';

/** Why a pod cannot be on a node. */
export interface Refusal {
  /** As users read them, counted over the nodes. */
  readonly reasons: readonly string[];
  /** Whether other pods could leave as they may, and it would still be refused. */
  readonly isFinal: boolean;
}

/** A filter for one pod, prepared so that looking at a node costs little. */
export interface PreparedFilter {
  /** @returns undefined if the pod can be there */
  check(node: ReadyNode): Refusal | undefined;
  /** Only these nodes come into question. */
  readonly only?: ReadonlySet<string> | undefined;
  /** The same, to be changed without changing this one; absent if others than the node's own pods and ports do not matter. */
  fork?(): MovableFilter;
}

/** A filter to which it can be said what would be if pods came or went. */
export interface MovableFilter extends PreparedFilter {
  add(pod: KnownPod, node: ReadyNode): void;
  remove(pod: KnownPod, node: ReadyNode): void;
}

/** The pod can be nowhere. */
export interface RefusedEverywhere {
  readonly everywhere: Refusal;
}

/** A rule of where pods can be. The names are those of Kubernetes' plugins. */
export interface Filter {
  readonly name: string;
  /** @returns undefined if the rule says nothing about this pod */
  prepare(pod: KnownPod, cluster: ClusterState): PreparedFilter | RefusedEverywhere | undefined;
  /** Whether a pod that was refused by this rule may be placed after an event. The answer is the same for all pods of its form. */
  mayHelp(pod: KnownPod, event: ClusterEvent, cluster: ClusterState): boolean;
}

export function refusal(isFinal: boolean, ...reasons: readonly string[]): Refusal {
  return Object.freeze({reasons, isFinal});
}
