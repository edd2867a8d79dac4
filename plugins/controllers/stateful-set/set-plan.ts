import {isRunningAndReady, isTerminating, millisUntilAvailable} from '../../families/workload-pods/pod-state.js';
import {scaledValue} from '../../families/workload-pods/scaled-value.js';
import {isInRange, ordinalRange, podIdentity, type SetFeatures} from './set-object.js';
import {revisionOf} from './set-pod.js';
import type {Pod} from '../../../sdk/types/unchecked/core/v1.js';
import type {StatefulSet, StatefulSetStatus} from '../../../sdk/types/unchecked/apps/v1.js';

/** A change of one pod. */
export type Step =
  | {readonly do: 'create'; readonly ordinal: number; readonly revision: string}
  /** `isScaledDown`: its ordinal is no longer in the set. */
  | {readonly do: 'delete'; readonly ordinal: number; readonly pod: Pod; readonly isScaledDown: boolean}
  /** The pod stays; its labels, claims and their owners are corrected. */
  | {readonly do: 'repair'; readonly ordinal: number; readonly pod: Pod; readonly isScaledDown: boolean};

export interface Plan {
  readonly steps: readonly Step[];
  /** Counters before the steps, and after all of them. */
  readonly before: Counters;
  readonly after: Counters;
  /** Whether more pods must be created than a plan may contain. */
  readonly isCut: boolean;
  /** Milliseconds until the next pod becomes available without any change; Infinity if there is none. */
  readonly availableInMillis: number;
}

export type Counters = Required<
  Pick<StatefulSetStatus, 'replicas' | 'readyReplicas' | 'availableReplicas' | 'currentReplicas' | 'updatedReplicas'>
>;

export interface PlanInput {
  readonly set: StatefulSet;
  /** The pods that the set controls and that have names of its pods. */
  readonly pods: readonly Pod[];
  /** Names of the revisions before and after the update. */
  readonly current: string;
  readonly update: string;
  readonly features: SetFeatures;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Maximum number of pods created by one plan. */
const mostCreated = 200;

/** A place in the set: an existing pod, or one about to be created. */
interface Place {
  readonly ordinal: number;
  readonly revision: string | undefined;
  /** Undefined for a pod that is created now. */
  readonly pod?: Pod;
}

/** The next steps for a set, given the current state. It only decides, and reads and writes nothing. */
export function planSet(input: PlanInput): Plan {
  return new Planner(input).plan();
}

class Planner {
  readonly #input: PlanInput;
  readonly #steps: Step[] = [];
  readonly #after: {-readonly [Name in keyof Counters]: number};
  readonly #isOrdered: boolean;
  readonly #minReadySeconds: number;
  readonly #deleted = new Set<Pod>();
  #created = 0;
  #isCut = false;

  constructor(input: PlanInput) {
    this.#input = input;
    this.#isOrdered = input.set.spec?.podManagementPolicy !== 'Parallel';
    this.#minReadySeconds = input.set.spec?.minReadySeconds ?? 0;
    this.#after = {...this.#count()};
  }

  plan(): Plan {
    const before = {...this.#after};
    if (!this.#input.set.metadata.deletionTimestamp) this.#decide();
    const waits = this.#input.pods.map((pod) => this.#wait(pod)).filter((millis) => millis > 0);
    return {steps: this.#steps, before, after: this.#after, isCut: this.#isCut, availableInMillis: Math.min(Infinity, ...waits)};
  }

  #count(): Counters {
    const {pods, current, update} = this.#input;
    const living = pods.filter((pod) => !isTerminating(pod));
    return {
      replicas: pods.length,
      readyReplicas: pods.filter(isRunningAndReady).length,
      availableReplicas: pods.filter((pod) => this.#wait(pod) === 0).length,
      currentReplicas: living.filter((pod) => revisionOf(pod) === current).length,
      updatedReplicas: living.filter((pod) => revisionOf(pod) === update).length,
    };
  }

  #decide(): void {
    const range = ordinalRange(this.#input.set, this.#input.features);
    const present = new Map<number, Pod>();
    const condemned: {ordinal: number; pod: Pod}[] = [];
    for (const pod of this.#input.pods) {
      const {ordinal} = podIdentity(pod.metadata.name!)!;
      if (isInRange(ordinal, range)) present.set(ordinal, pod);
      else condemned.push({ordinal, pod});
    }
    condemned.sort((a, b) => a.ordinal - b.ordinal);
    const places: Place[] = [];
    for (let ordinal = range.start; ordinal < range.end; ordinal++) {
      const place = this.#fill(ordinal, present.get(ordinal), range.start);
      if (place === undefined) return;
      places.push(place);
    }
    if (this.#removeCondemned(condemned)) this.#update(places, range.start);
  }

  /** Ensures that a place has its pod. Undefined: nothing else may be done until that has happened. */
  #fill(ordinal: number, pod: Pod | undefined, start: number): Place | undefined {
    if (pod !== undefined && hasFailed(pod)) {
      // The next one can only be created after this one is gone.
      if (isTerminating(pod)) return this.#isOrdered ? undefined : {ordinal, pod, revision: revisionOf(pod)};
      this.#delete(ordinal, pod, false);
      return this.#isOrdered ? undefined : {ordinal, pod, revision: revisionOf(pod)};
    }
    if (pod === undefined) {
      if (this.#created >= mostCreated) {
        this.#isCut = true;
        return undefined;
      }
      const revision = this.#revisionFor(ordinal, start);
      this.#steps.push({do: 'create', ordinal, revision});
      this.#created += 1;
      this.#shift(revision, 1);
      this.#after.replicas += 1;
      return this.#isOrdered ? undefined : {ordinal, revision};
    }
    if (this.#isOrdered && (isTerminating(pod) || this.#wait(pod) > 0)) return undefined;
    if (!isTerminating(pod)) this.#steps.push({do: 'repair', ordinal, pod, isScaledDown: false});
    return {ordinal, pod, revision: revisionOf(pod)};
  }

  /** Deletes the pods outside the range, highest ordinal first. Returns whether the others may be updated. */
  #removeCondemned(condemned: readonly {ordinal: number; pod: Pod}[]): boolean {
    const firstUnhealthy = condemned.find(({pod}) => !isHealthy(pod));
    for (const one of condemned.toReversed()) {
      const {ordinal, pod} = one;
      if (isTerminating(pod)) {
        if (this.#isOrdered) return false;
        continue;
      }
      // It stays while a pod before it is unhealthy, so that the set does not shrink further than it has by itself.
      if (this.#isOrdered && this.#wait(pod) > 0 && one !== firstUnhealthy) return false;
      this.#delete(ordinal, pod, true);
      if (this.#isOrdered) return false;
    }
    return true;
  }

  /** Replaces pods of an old revision, highest ordinal first. */
  #update(places: readonly Place[], start: number): void {
    const {updateStrategy: {type, rollingUpdate} = {}, replicas = 1} = this.#input.set.spec ?? {};
    if (type === 'OnDelete') return;
    const limit = this.#input.features.maxUnavailable ? Math.max(scaledValue(rollingUpdate?.maxUnavailable ?? 1, replicas) ?? 1, 1) : 1;
    const lowest = start + (rollingUpdate?.partition ?? 0);
    const isAway = ({pod}: Place) => pod === undefined || !isHealthy(pod);
    if (this.#input.features.maxUnavailable) {
      let free = limit - places.filter(isAway).length;
      for (const {ordinal, pod} of places.toReversed()) {
        if (free <= 0 || ordinal < lowest) return;
        if (pod === undefined || !this.#isOld(pod)) continue;
        this.#delete(ordinal, pod, false);
        free -= 1;
      }
      return;
    }
    for (const place of places.toReversed()) {
      if (place.ordinal < lowest) return;
      if (place.pod && this.#isOld(place.pod)) return this.#delete(place.ordinal, place.pod, false);
      if (isAway(place)) return;
    }
  }

  #isOld(pod: Pod): boolean {
    return revisionOf(pod) !== this.#input.update && !isTerminating(pod) && !this.#deleted.has(pod);
  }

  #delete(ordinal: number, pod: Pod, isScaledDown: boolean): void {
    this.#steps.push({do: 'delete', ordinal, pod, isScaledDown});
    this.#deleted.add(pod);
    this.#shift(revisionOf(pod), -1);
  }

  /** A pod below the partition, or not yet reached by the update, is replaced by one of the old revision. */
  #revisionFor(ordinal: number, start: number): string {
    const {set, current, update} = this.#input;
    const {type, rollingUpdate} = set.spec?.updateStrategy ?? {};
    if (type !== 'RollingUpdate') return update;
    const untouched = rollingUpdate ? (rollingUpdate.partition ?? 0) : (set.status?.currentReplicas ?? 0);
    return ordinal < start + untouched ? current : update;
  }

  #shift(revision: string | undefined, by: number): void {
    if (revision === this.#input.current) this.#after.currentReplicas += by;
    if (revision === this.#input.update) this.#after.updatedReplicas += by;
  }

  #wait(pod: Pod): number {
    return millisUntilAvailable(pod, this.#minReadySeconds, this.#input.now);
  }
}

function hasFailed({status}: Pod): boolean {
  return status?.phase === 'Failed';
}

function isHealthy(pod: Pod): boolean {
  return isRunningAndReady(pod) && !isTerminating(pod);
}
