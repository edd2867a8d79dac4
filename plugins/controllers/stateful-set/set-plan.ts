import {isRunningAndReady, isTerminating, millisUntilAvailable, type Pod} from '../../families/workload-pods/pod-state.js';
import {scaledValue} from '../../families/workload-pods/scaled-value.js';
import {isInRange, ordinalRange, podIdentity, type SetFeatures, type StatefulSet, type StatefulSetStatus} from './set-object.js';
import {revisionOf} from './set-pod.js';

/** A change of one pod. */
export type Step =
  | {readonly do: 'create'; readonly ordinal: number; readonly revision: string}
  /** `isScaledDown`: the set has no place for it any more. */
  | {readonly do: 'delete'; readonly ordinal: number; readonly pod: Pod; readonly isScaledDown: boolean}
  /** The pod stays as it is; its labels, claims and the owners of these are put right. */
  | {readonly do: 'repair'; readonly ordinal: number; readonly pod: Pod; readonly isScaledDown: boolean};

export interface Plan {
  readonly steps: readonly Step[];
  /** Counters as they are before the steps, and after all of them. */
  readonly before: Counters;
  readonly after: Counters;
  /** Whether more pods are to be created than one plan has. */
  readonly isCut: boolean;
  /** When a pod becomes available without any change, in milliseconds; Infinity when none does. */
  readonly availableInMillis: number;
}

export type Counters = Required<
  Pick<StatefulSetStatus, 'replicas' | 'readyReplicas' | 'availableReplicas' | 'currentReplicas' | 'updatedReplicas'>
>;

export interface PlanInput {
  readonly set: StatefulSet;
  /** The pods that the set controls, named as its pods are. */
  readonly pods: readonly Pod[];
  /** Names of the revisions before and after the update. */
  readonly current: string;
  readonly update: string;
  readonly features: SetFeatures;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Pods that one plan creates at most. */
const mostCreated = 200;

/** A place in the set: the pod that has it, or one that is about to be created. */
interface Place {
  readonly ordinal: number;
  readonly revision: string | undefined;
  /** Undefined for one that is created now. */
  readonly pod?: Pod;
}

/** What is to be done next for a set, from what there is. Decides only: no reads, no writes. */
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

  /** Sees to it that a place has its pod. Undefined: nothing else may be done before that has come to pass. */
  #fill(ordinal: number, pod: Pod | undefined, start: number): Place | undefined {
    if (pod !== undefined && hasFailed(pod)) {
      // The next one can only be created when this one is gone.
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

  /** Removes the pods that have no place, the highest number first. Answers whether the others may be updated. */
  #removeCondemned(condemned: readonly {ordinal: number; pod: Pod}[]): boolean {
    const firstUnhealthy = condemned.find(({pod}) => !isHealthy(pod));
    for (const one of condemned.toReversed()) {
      const {ordinal, pod} = one;
      if (isTerminating(pod)) {
        if (this.#isOrdered) return false;
        continue;
      }
      // While one before it is not well, it stays: the set should not become smaller than it is by itself.
      if (this.#isOrdered && this.#wait(pod) > 0 && one !== firstUnhealthy) return false;
      this.#delete(ordinal, pod, true);
      if (this.#isOrdered) return false;
    }
    return true;
  }

  /** Replaces pods of an old revision, the highest number first. */
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

  /** A pod below the partition, or that the update has not reached, is replaced by one of the old revision. */
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
