import type {Pod} from '../../../sdk/types/unchecked/core/v1.js';
import {claimsOfPod} from '../../families/volume-binding/attached-volumes.js';

/** A pod on a node that uses claims. */
export interface ClaimingPod {
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly node: string;
  readonly claims: readonly string[];
}

/** What a pod claims where it runs; undefined if that is nothing, or it has ended. */
export function claimingPod(key: string, pod: Pod): ClaimingPod | undefined {
  const {metadata, spec = {}, status} = pod;
  const {name = '', namespace = '', uid = ''} = metadata;
  const isOver = status?.phase === 'Succeeded' || status?.phase === 'Failed';
  if (!spec.nodeName || isOver || !spec.volumes?.length) return undefined;
  const claims = claimsOfPod(pod);
  return claims.length === 0 ? undefined : {key, namespace, name, uid, node: spec.nodeName, claims};
}

/** The pods that use claims, by key, by node and by claim. */
export class ClaimingPods {
  readonly #pods = new Map<string, ClaimingPod>();
  readonly #byNode = new Map<string, Set<ClaimingPod>>();
  readonly #byClaim = new Map<string, Set<ClaimingPod>>();

  /** Answers the nodes that it concerns. */
  put(key: string, pod: ClaimingPod | undefined): string[] {
    const before = this.#pods.get(key);
    if (before) this.#change(before, (set) => set.delete(before));
    if (pod) {
      this.#pods.set(key, pod);
      this.#change(pod, (set) => set.add(pod));
    } else this.#pods.delete(key);
    return [...new Set([before?.node, pod?.node].filter((node) => node !== undefined))];
  }

  on(node: string): Iterable<ClaimingPod> {
    return this.#byNode.get(node) ?? [];
  }

  using(namespace: string, claim: string): Iterable<ClaimingPod> {
    return this.#byClaim.get(`${namespace}/${claim}`) ?? [];
  }

  #change(pod: ClaimingPod, change: (set: Set<ClaimingPod>) => unknown): void {
    apply(this.#byNode, pod.node, change);
    for (const claim of pod.claims) apply(this.#byClaim, `${pod.namespace}/${claim}`, change);
  }
}

function apply<T>(sets: Map<string, Set<T>>, key: string, change: (set: Set<T>) => unknown): void {
  const set = sets.get(key) ?? new Set<T>();
  change(set);
  if (set.size === 0) sets.delete(key);
  else sets.set(key, set);
}
