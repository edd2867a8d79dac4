import type {KnownPod} from '../model/known-pod.js';
import type {NodeFacts} from '../model/node-facts.js';

/** Something that has happened, after which a pod that could not be placed may be. */
export type ClusterEvent =
  | {readonly type: 'node'; readonly before: NodeFacts | undefined; readonly now: NodeFacts}
  | {readonly type: 'node gone'; readonly before: NodeFacts}
  /** A pod has got its node. */
  | {readonly type: 'placed'; readonly pod: KnownPod}
  /** A pod with a node has other labels, or asks for less. */
  | {readonly type: 'changed'; readonly pod: KnownPod; readonly before: KnownPod}
  /** A pod with a node is gone, or has ended. */
  | {readonly type: 'removed'; readonly pod: KnownPod}
  | {readonly type: 'namespace'}
  /** Claims, classes or slices of devices. */
  | {readonly type: 'devices'}
  /** Claims, volumes, classes or drivers. */
  | {readonly type: 'storage'; readonly namespace: string; readonly name: string; readonly isClaim: boolean};
