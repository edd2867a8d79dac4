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

/** A node that is there, or that pods are on. */
interface KnownNode {
  pods: number;
  isPresent: boolean;
}

/** What is kept of all pods: the nodes that they are on, and more of those that have ended or are being deleted. */
export class KnownPods {
  readonly #nodes = new Map<string, string>();
  readonly #byName = new Map<string, KnownNode>();
  /** Nodes that pods are on, and that are not there. */
  readonly #missing = new Set<string>();
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

  /** Whether a node is there. */
  setNode(name: string, isPresent: boolean): void {
    this.#changeNode(name, (node) => (node.isPresent = isPresent));
  }

  /** The nodes that pods are on although they are not there. */
  get missingNodes(): ReadonlySet<string> {
    return this.#missing;
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
    if (node !== undefined) this.#changeNode(node, (known) => (known.pods += by));
  }

  #changeNode(name: string, change: (node: KnownNode) => void): void {
    const node = this.#byName.get(name) ?? {pods: 0, isPresent: false};
    change(node);
    if (node.pods > 0 || node.isPresent) this.#byName.set(name, node);
    else this.#byName.delete(name);
    if (node.pods > 0 && !node.isPresent) this.#missing.add(name);
    else this.#missing.delete(name);
  }
}

/** Evicted pods first, then the oldest. */
function inOrder(one: DoubtfulPod, other: DoubtfulPod): number {
  return Number(other.isEvicted) - Number(one.isEvicted) || one.createdAt - other.createdAt;
}
