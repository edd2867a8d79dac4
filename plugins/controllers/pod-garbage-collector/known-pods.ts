import type {Pod} from '../../../sdk/types/unchecked/core/v1.js';

/** A pod that may have to be deleted. */
export interface DoubtfulPod {
  readonly isTerminated: boolean;
  readonly isTerminating: boolean;
  /** Empty for none. */
  readonly node: string;
  readonly isEvicted: boolean;
  /** In milliseconds since 1970. */
  readonly createdAt: number;
}

/** What is kept of all pods: the nodes that they are on, and more of those that have ended or are being deleted. */
export class KnownPods {
  readonly #nodes = new Map<string, string>();
  readonly #onNode = new Map<string, number>();
  readonly #doubtful = new Map<string, DoubtfulPod>();
  /** How many pods have ended. */
  terminated = 0;
  /** How many pods are being deleted. */
  terminating = 0;

  /** @param key `NAMESPACE/NAME` @param pod undefined for one that is gone */
  set(key: string, pod: Pod | undefined): void {
    this.#count(key, -1);
    this.#nodes.delete(key);
    this.#doubtful.delete(key);
    if (!pod) return;
    const node = pod.spec?.nodeName ?? '';
    const {phase = ''} = pod.status ?? {};
    const isTerminated = !['Pending', 'Running', 'Unknown'].includes(phase);
    const isTerminating = Boolean(pod.metadata.deletionTimestamp);
    if (node !== '') this.#nodes.set(key, node);
    if (isTerminated || isTerminating)
      this.#doubtful.set(key, {
        isTerminated,
        isTerminating,
        node,
        isEvicted: phase === 'Failed' && pod.status?.reason === 'Evicted',
        createdAt: Date.parse(pod.metadata.creationTimestamp ?? '') || 0,
      });
    this.#count(key, 1);
  }

  /** Keys of the pods that have ended or are being deleted, those first that are deleted first. */
  doubtful(select: (pod: DoubtfulPod) => boolean): string[] {
    return [...this.#doubtful]
      .filter(([, pod]) => select(pod))
      .toSorted(([key, one], [otherKey, other]) => inOrder(one, other) || (key < otherKey ? -1 : 1))
      .map(([key]) => key);
  }

  /** The nodes that pods are on. */
  nodes(): Iterable<string> {
    return this.#onNode.keys();
  }

  /** Keys of the pods on a node. Takes as long as there are pods. */
  on(node: string): string[] {
    return [...this.#nodes].filter(([, name]) => name === node).map(([key]) => key);
  }

  #count(key: string, by: 1 | -1): void {
    const pod = this.#doubtful.get(key);
    if (pod?.isTerminated) this.terminated += by;
    if (pod?.isTerminating) this.terminating += by;
    const node = this.#nodes.get(key);
    if (node === undefined) return;
    const count = (this.#onNode.get(node) ?? 0) + by;
    if (count > 0) this.#onNode.set(node, count);
    else this.#onNode.delete(node);
  }
}

/** Evicted pods first, then the oldest. */
function inOrder(one: DoubtfulPod, other: DoubtfulPod): number {
  return Number(other.isEvicted) - Number(one.isEvicted) || one.createdAt - other.createdAt;
}
