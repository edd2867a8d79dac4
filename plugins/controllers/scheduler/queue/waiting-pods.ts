import type {PodShape} from '../model/pod-shape.js';
import type {QueuedPod} from './queued-pod.js';

/** Pods of one form that were refused by the same filters: what helps one of them helps all. */
type Group = Map<string, QueuedPod>;

/** Pods that wait for an event, in groups, so that an event is compared once for all pods of a template. */
export class WaitingPods {
  readonly #pods = new Map<string, QueuedPod>();
  /** By form, then by the names of the filters. */
  readonly #groups = new Map<PodShape, Map<string, Group>>();

  get size(): number {
    return this.#pods.size;
  }

  get(key: string): QueuedPod | undefined {
    return this.#pods.get(key);
  }

  put(queued: QueuedPod): void {
    const {key, shape} = queued.pod;
    this.delete(key);
    this.#pods.set(key, queued);
    let groups = this.#groups.get(shape);
    if (!groups) this.#groups.set(shape, (groups = new Map()));
    const name = refusedKey(queued);
    const group = groups.get(name);
    if (group) group.set(key, queued);
    else groups.set(name, new Map([[key, queued]]));
  }

  delete(key: string): void {
    const queued = this.#pods.get(key);
    if (!queued) return;
    this.#pods.delete(key);
    const {shape} = queued.pod;
    const groups = this.#groups.get(shape)!;
    const group = groups.get(refusedKey(queued))!;
    group.delete(key);
    if (group.size === 0) groups.delete(refusedKey(queued));
    if (groups.size === 0) this.#groups.delete(shape);
  }

  /** All of them, in the order in which they came. */
  all(): QueuedPod[] {
    return [...this.#pods.values()];
  }

  /** Those that an event may help. @param mayHelp asked about one pod of each group */
  helped(mayHelp: (queued: QueuedPod) => boolean): QueuedPod[] {
    const found: QueuedPod[] = [];
    for (const groups of this.#groups.values()) {
      for (const group of groups.values()) {
        const [first] = group.values();
        if (first && mayHelp(first)) found.push(...group.values());
      }
    }
    return found.sort((one, other) => one.order - other.order);
  }
}

function refusedKey({refusedBy}: QueuedPod): string {
  return [...refusedBy].sort().join();
}
