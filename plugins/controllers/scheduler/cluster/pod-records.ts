import type {KnownPod} from '../model/known-pod.js';
import type {PodShapes} from '../model/pod-shape.js';
import type {ClusterEvent} from './cluster-event.js';
import type {ClusterState} from './cluster-state.js';

/** What follows from a change of pods without a node. */
export interface PodListener {
  /** A pod has come, or has changed in a way after which it may fit. */
  pending(pod: KnownPod): void;
  /** A pod that waits has changed otherwise. */
  touched(pod: KnownPod): void;
  /** A pod has a node, or is gone: it does not wait any more. */
  settled(key: string): void;
  happened(event: ClusterEvent): void;
}

/** The pods that are known, where they are, and where they are about to be before the server says so. */
export class PodRecords {
  readonly #pods = new Map<string, KnownPod>();
  /** Nodes of pods that are being bound. */
  readonly #assumed = new Map<string, string>();
  readonly #cluster: ClusterState;
  readonly #shapes: PodShapes;
  readonly #listener: PodListener;

  constructor(cluster: ClusterState, listener: PodListener) {
    this.#cluster = cluster;
    this.#shapes = cluster.shapes;
    this.#listener = listener;
  }

  get(key: string): KnownPod | undefined {
    return this.#pods.get(key);
  }

  /** Whether a pod is being bound. */
  isAssumed(key: string): boolean {
    return this.#assumed.has(key);
  }

  /** From now on the pod takes room on a node. */
  assume(pod: KnownPod, node: string): void {
    this.#assumed.set(pod.key, node);
    this.#cluster.place(pod, node);
    this.#cluster.nominate(pod, '');
  }

  /** It could not be bound. */
  forget(key: string): void {
    const pod = this.#pods.get(key);
    const node = this.#assumed.get(key);
    this.#assumed.delete(key);
    if (pod && node !== undefined) this.#cluster.unplace(pod, node);
  }

  /** What the server's cache says of a pod now; undefined if it is gone or has ended. */
  put(key: string, pod: KnownPod | undefined): void {
    const before = this.#pods.get(key);
    if (before && pod && before.uid !== pod.uid) {
      this.#remove(before);
      this.#add(pod, undefined);
    } else if (pod) {
      this.#add(pod, before);
    } else if (before) {
      this.#remove(before);
    }
  }

  #add(pod: KnownPod, before: KnownPod | undefined): void {
    const {key} = pod;
    const assumed = this.#assumed.get(key);
    const wasOn = before && (before.nodeName || assumed);
    if (before && wasOn) this.#cluster.unplace(before, wasOn);
    this.#pods.set(key, pod);
    if (pod.nodeName !== '') {
      this.#assumed.delete(key);
      this.#cluster.place(pod, pod.nodeName);
      this.#cluster.nominate(pod, '');
      this.#listener.settled(key);
      if (!before?.nodeName) this.#listener.happened({type: 'placed', pod});
      else if (before.shape !== pod.shape) this.#listener.happened({type: 'changed', pod, before});
    } else if (assumed !== undefined) {
      this.#cluster.place(pod, assumed);
    } else {
      const nominated = pod.nominatedNode === (before?.nominatedNode ?? '') ? this.#cluster.nominationOf(key) : pod.nominatedNode;
      this.#cluster.nominate(pod, nominated);
      if (!before || before.shape !== pod.shape) this.#listener.pending(pod);
      else this.#listener.touched(pod);
    }
    if (before) this.#shapes.release(before.shape);
  }

  #remove(before: KnownPod): void {
    const {key} = before;
    const wasOn = before.nodeName || this.#assumed.get(key);
    const promised = this.#cluster.nominationOf(key);
    this.#assumed.delete(key);
    this.#pods.delete(key);
    if (wasOn) this.#cluster.unplace(before, wasOn);
    this.#cluster.nominate(before, '');
    this.#listener.settled(key);
    if (wasOn || promised) this.#listener.happened({type: 'removed', pod: before});
    this.#shapes.release(before.shape);
  }
}
