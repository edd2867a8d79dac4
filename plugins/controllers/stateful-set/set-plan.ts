import {isRunningAndReady, isTerminating, millisUntilAvailable} from '../../families/workload-pods/pod-state.js';
import {scaledValue} from '../../families/workload-pods/scaled-value.js';
import {isInRange, ordinalRange, podIdentity, type SetFeatures} from './set-object.js';
import {revisionOf} from './set-pod.js';
import type {Pod} from '../../../sdk/types/unchecked/core/v1.js';
import type {StatefulSet, StatefulSetStatus} from '../../../sdk/types/unchecked/apps/v1.js';

/** A change of one pod. */
export type Step =
  | {readonly do: 'create'; readonly ordinal: number; readonly revision: string}
  | {readonly do: 'delete'; readonly ordinal: number; readonly pod: Pod}
  /** The pod waits: claims that are missing are made. */
  | {readonly do: 'claims'; readonly ordinal: number; readonly pod: Pod}
  /** The pod stays; its labels, claims and their owners are corrected. */
  | {readonly do: 'repair'; readonly ordinal: number; readonly pod: Pod}
  /** The pod goes; the owners of its claims are corrected. */
  | {readonly do: 'retain'; readonly ordinal: number; readonly pod: Pod};

export interface Plan {
  /** Steps that do not depend on one another are in one group; the groups follow one another. */
  readonly groups: readonly (readonly Step[])[];
  /** Counters before the steps. */
  readonly counters: Counters;
  /** How many pods are deleted because of an update: they no longer count as current. */
  readonly replaced: number;
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

interface Numbered {
  readonly ordinal: number;
  readonly pod: Pod;
}

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
  readonly #groups: Step[][] = [];
  readonly #isOrdered: boolean;
  readonly #minReadySeconds: number;
  readonly #deleted = new Set<Pod>();
  #created = 0;
  #replaced = 0;
  #isCut = false;

  constructor(input: PlanInput) {
    this.#input = input;
    this.#isOrdered = input.set.spec?.podManagementPolicy !== 'Parallel';
    this.#minReadySeconds = input.set.spec?.minReadySeconds ?? 0;
  }

  plan(): Plan {
    if (!this.#input.set.metadata.deletionTimestamp) this.#decide();
    const waits = this.#input.pods.map((pod) => this.#wait(pod)).filter((millis) => millis > 0);
    return {
      groups: this.#groups.filter(({length}) => length > 0),
      counters: this.#count(),
      replaced: this.#replaced,
      isCut: this.#isCut,
      availableInMillis: Math.min(Infinity, ...waits),
    };
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
    const condemned: Numbered[] = [];
    for (const pod of this.#input.pods) {
      const {ordinal} = podIdentity(pod.metadata.name!)!;
      if (isInRange(ordinal, range)) present.set(ordinal, pod);
      else condemned.push({ordinal, pod});
    }
    condemned.sort((a, b) => a.ordinal - b.ordinal);
    this.#begin();
    const places: Place[] = [];
    for (let ordinal = range.start; ordinal < range.end; ordinal++) {
      const place = this.#fill(ordinal, present.get(ordinal), range.start);
      if (place === undefined) return;
      places.push(place);
    }
    this.#begin();
    for (const {ordinal, pod} of condemned.toReversed()) this.#do({do: 'retain', ordinal, pod});
    this.#begin();
    if (!this.#removeCondemned(condemned)) return;
    this.#begin();
    this.#update(places, range.start);
  }

  #begin(): void {
    this.#groups.push([]);
  }

  #do(step: Step): void {
    this.#groups.at(-1)!.push(step);
  }

  /** Ensures that a place has its pod. Undefined: nothing else may be done until that has happened. */
  #fill(ordinal: number, pod: Pod | undefined, start: number): Place | undefined {
    if (pod === undefined) return this.#fillWithNew(ordinal, start);
    const place = {ordinal, pod, revision: revisionOf(pod)};
    if (hasEnded(pod)) {
      // The next one can only be created after this one is gone.
      if (!isTerminating(pod)) this.#delete(ordinal, pod);
      return this.#isOrdered ? undefined : place;
    }
    if (pod.status?.phase === 'Pending') this.#do({do: 'claims', ordinal, pod});
    if (this.#isOrdered && this.#isUnavailable(pod)) return undefined;
    if (!isTerminating(pod)) this.#do({do: 'repair', ordinal, pod});
    return place;
  }

  #fillWithNew(ordinal: number, start: number): Place | undefined {
    if (this.#created >= mostCreated) {
      this.#isCut = true;
      return undefined;
    }
    const revision = this.#revisionFor(ordinal, start);
    this.#do({do: 'create', ordinal, revision});
    this.#created += 1;
    return this.#isOrdered ? undefined : {ordinal, revision};
  }

  /** Deletes the pods outside the range, highest ordinal first. Returns whether the others may be updated. */
  #removeCondemned(condemned: readonly Numbered[]): boolean {
    const firstUnavailable = condemned.find(({pod}) => this.#isUnavailable(pod));
    for (const one of condemned.toReversed()) {
      const {ordinal, pod} = one;
      if (isTerminating(pod)) {
        if (this.#isOrdered) return false;
        continue;
      }
      // It stays while a pod before it is unavailable, so that the set does not shrink further than it has by itself.
      if (this.#isOrdered && this.#wait(pod) > 0 && one !== firstUnavailable) return false;
      this.#delete(ordinal, pod);
      if (this.#isOrdered) return false;
    }
    return true;
  }

  /** Replaces pods of an old revision, highest ordinal first. */
  #update(places: readonly Place[], start: number): void {
    const {updateStrategy: {type, rollingUpdate} = {}, replicas = 1} = this.#input.set.spec ?? {};
    if (type === 'OnDelete') return;
    const lowest = start + (rollingUpdate?.partition ?? 0);
    const isAway = ({pod}: Place) => pod === undefined || this.#deleted.has(pod) || this.#isUnavailable(pod);
    if (this.#input.features.maxUnavailable) {
      const limit = Math.max(scaledValue(rollingUpdate?.maxUnavailable ?? 1, replicas, 'down') ?? 1, 1);
      let free = limit - places.filter(isAway).length;
      for (const {ordinal, pod} of places.toReversed()) {
        if (free <= 0 || ordinal < lowest) return;
        if (pod === undefined || !this.#isOld(pod)) continue;
        this.#replace(ordinal, pod);
        free -= 1;
      }
      return;
    }
    for (const place of places.toReversed()) {
      if (place.ordinal < lowest) return;
      if (place.pod && this.#isOld(place.pod)) return this.#replace(place.ordinal, place.pod);
      if (isAway(place)) return;
    }
  }

  #isOld(pod: Pod): boolean {
    return revisionOf(pod) !== this.#input.update && !isTerminating(pod) && !this.#deleted.has(pod);
  }

  #replace(ordinal: number, pod: Pod): void {
    this.#delete(ordinal, pod);
    this.#replaced += 1;
  }

  #delete(ordinal: number, pod: Pod): void {
    this.#do({do: 'delete', ordinal, pod});
    this.#deleted.add(pod);
  }

  /** A pod below the partition, or not yet reached by the update, is replaced by one of the old revision. */
  #revisionFor(ordinal: number, start: number): string {
    const {set, current, update} = this.#input;
    const {type, rollingUpdate} = set.spec?.updateStrategy ?? {};
    if (type !== 'RollingUpdate') return update;
    const untouched = rollingUpdate ? (rollingUpdate.partition ?? 0) : (set.status?.currentReplicas ?? 0);
    return ordinal < start + untouched ? current : update;
  }

  #isUnavailable(pod: Pod): boolean {
    return isTerminating(pod) || this.#wait(pod) > 0;
  }

  #wait(pod: Pod): number {
    return millisUntilAvailable(pod, this.#minReadySeconds, this.#input.now);
  }
}

/** Whatever has ended must run again: of pods that were forced to stop the end says nothing. */
function hasEnded({status}: Pod): boolean {
  return status?.phase === 'Failed' || status?.phase === 'Succeeded';
}
