/** Pause after the first failure on a node, and the longest; each is twice the one before. As in Kubernetes. */
const firstMillis = 1000;
const longestMillis = 900_000;

interface Failure {
  pause: number;
  at: number;
}

/** When failed pods are replaced: on a node where they fail again and again, after growing pauses. */
export class FailedPods {
  /** By uid of the DaemonSet; those of an older generation of it do not count. */
  readonly #failures = new Map<string, {generation: number; byNode: Map<string, Failure>}>();

  /** Milliseconds until a failed pod may be replaced. If it is now, that counts as a failure. @param now in milliseconds since 1970 */
  delay({uid, generation, node}: {uid: string; generation: number; node: string}, now: number): number {
    let known = this.#failures.get(uid);
    if (known?.generation !== generation) this.#failures.set(uid, (known = {generation, byNode: new Map()}));
    const before = known.byNode.get(node);
    if (!before || now - before.at > 2 * longestMillis) {
      known.byNode.set(node, {pause: firstMillis, at: now});
      return 0;
    }
    const left = before.at + before.pause - now;
    if (left > 0) return left;
    known.byNode.set(node, {pause: Math.min(before.pause * 2, longestMillis), at: now});
    return 0;
  }

  /** Nothing about a DaemonSet is of interest any more. */
  forget(uid: string): void {
    this.#failures.delete(uid);
  }
}
