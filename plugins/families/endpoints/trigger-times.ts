import type {Service} from '../../../sdk/types/unchecked/core/v1.js';
import type {EndpointPod} from './endpoint-pod.js';

interface Known {
  readonly service: number;
  readonly pods: ReadonlyMap<string, number>;
}

/** When the changes happened that endpoints of services follow from: what `endpoints.orch/last-change-trigger-time` says. */
export class TriggerTimes {
  readonly #known = new Map<string, Known>();

  /**
   * Looks at a service and its pods.
   *
   * @returns the earliest time of a change since the last look, in milliseconds since 1970; undefined if there was none. For a new service that of its creation
   */
  look(key: string, {metadata}: Service, pods: readonly EndpointPod[]): number | undefined {
    const before = this.#known.get(key);
    const created = Date.parse(metadata.creationTimestamp ?? '') || 0;
    const times = new Map<string, number>();
    let earliest = Infinity;
    for (const {name, triggeredAt} of pods) {
      if (triggeredAt === 0) continue;
      times.set(name, triggeredAt);
      if (triggeredAt > (before?.pods.get(name) ?? 0)) earliest = Math.min(earliest, triggeredAt);
    }
    if (created > (before?.service ?? 0)) earliest = Math.min(earliest, created);
    this.#known.set(key, {service: created, pods: times});
    if (!before) return created;
    return earliest === Infinity ? undefined : earliest;
  }

  /** The service is gone. */
  forget(key: string): void {
    this.#known.delete(key);
  }
}
