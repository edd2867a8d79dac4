/** Which pods wait for which things, by their keys. */
export class WaitingPods {
  readonly #byThing = new Map<string, Set<string>>();
  readonly #byPod = new Map<string, readonly string[]>();

  /** Keys of all that wait for something. */
  get keys(): Iterable<string> {
    return this.#byPod.keys();
  }

  /** Says what a pod waits for, in place of what was said before; nothing is none. */
  set(pod: string, things: readonly string[]): void {
    for (const thing of this.#byPod.get(pod) ?? []) {
      const pods = this.#byThing.get(thing);
      pods?.delete(pod);
      if (pods?.size === 0) this.#byThing.delete(thing);
    }
    if (things.length === 0) {
      this.#byPod.delete(pod);
      return;
    }
    this.#byPod.set(pod, things);
    for (const thing of things) {
      const pods = this.#byThing.get(thing);
      if (pods) pods.add(pod);
      else this.#byThing.set(thing, new Set([pod]));
    }
  }

  /** Those that wait for a thing. */
  of(thing: string): readonly string[] {
    return [...(this.#byThing.get(thing) ?? [])];
  }
}
