import type {KeptPod} from '../workload-pods/controlled-pods.js';
import type {ReplicaPod} from './replica-pod.js';

type Pod = KeptPod<ReplicaPod>;

export interface DeletionOrder {
  /** Active pods of this and related sets by node: the more a pod has beside it, the sooner it goes. */
  readonly onNode: ReadonlyMap<string, number>;
  /** Whether annotations say what the deletion of a pod costs (the gate PodDeletionCost). */
  readonly hasCosts: boolean;
  /** Whether ages count by powers of two, and at random among those of one (the gate LogarithmicScaleDown). */
  readonly isLogarithmic: boolean;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/** The pods in the order in which they are deleted, those first that are needed least. */
export function inDeletionOrder(pods: readonly Pod[], order: DeletionOrder): Pod[] {
  return pods.toSorted((one, other) => compare(one, other, order));
}

function compare({uid, summary: one}: Pod, {uid: otherUid, summary: other}: Pod, order: DeletionOrder): number {
  const {onNode, hasCosts, isLogarithmic, now} = order;
  const countOn = (node: string) => onNode.get(node) ?? 0;
  const byAge = (first: number, second: number): number => {
    if (!isLogarithmic || first === 0 || second === 0) return youngestFirst(first, second);
    return magnitude(now - first) - magnitude(now - second) || (uid < otherUid ? -1 : 1);
  };
  return (
    Number(one.nodeName !== '') - Number(other.nodeName !== '') ||
    one.phase - other.phase ||
    Number(one.isReady) - Number(other.isReady) ||
    (hasCosts ? one.deletionCost - other.deletionCost : 0) ||
    countOn(other.nodeName) - countOn(one.nodeName) ||
    (one.isReady && other.isReady && one.readySince !== other.readySince ? byAge(one.readySince, other.readySince) : 0) ||
    other.restarts - one.restarts ||
    other.sidecarRestarts - one.sidecarRestarts ||
    (one.createdAt === other.createdAt ? 0 : byAge(one.createdAt, other.createdAt))
  );
}

/** An unknown time counts as the latest. */
function youngestFirst(one: number, other: number): number {
  if (one === 0 || other === 0) return one === 0 ? -1 : 1;
  return other - one;
}

/** Of an age in milliseconds: as in Kubernetes the binary logarithm of its nanoseconds. */
function magnitude(age: number): number {
  return age > 0 ? Math.floor(Math.log2(age * 1e6)) : -1;
}
