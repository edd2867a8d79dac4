import {isConflict, isNotFound, type ApiObject} from '../../../sdk/index.js';
import {done, systemClock, type WorkResult} from '../../../sdk/controllers/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {StatefulSet, StatefulSetStatus} from '../../../sdk/types/unchecked/apps/v1.js';
import {slowStart} from '../../families/workload-pods/slow-start.js';
import {statefulSets} from './set-object.js';
import {planSet, type Counters, type Plan} from './set-plan.js';
import {revisionOf} from './set-pod.js';
import type {SetParts} from './set-parts.js';
import {SetPodControl, StaleClaim} from './set-pod-control.js';
import {podsOf} from './set-pods.js';
import {RevisionHistory, type SetRevisions} from './set-revisions.js';

/** Longest timer, in milliseconds. */
const longestPause = 3_600_000;
/** Until a claim that goes with its pod is looked for again. */
const staleMillis = 1000;

/** Brings one StatefulSet a step closer to its desired state. */
export class SetReconciler {
  readonly #history: RevisionHistory;
  readonly #parts: SetParts;

  constructor(parts: SetParts) {
    this.#parts = parts;
    this.#history = new RevisionHistory(parts);
  }

  /** @param known names of pods known to be controlled by a set of this name */
  async reconcile(namespace: string, name: string, known: ReadonlySet<string>): Promise<WorkResult> {
    try {
      const set = (await this.#parts.resources.get(statefulSets, namespace, name)) as StatefulSet;
      return await this.#reconcile(set, known);
    } catch (error) {
      // The set was deleted, or something changed concurrently, perhaps by another server.
      if (isNotFound(error)) return done;
      if (isConflict(error)) return {again: 0};
      throw error;
    }
  }

  async #reconcile(set: StatefulSet, known: ReadonlySet<string>): Promise<WorkResult> {
    const {resources, features} = this.#parts;
    const own = await podsOf(resources, set, known);
    const revisions = await this.#history.of(set);
    const current = revisions.current.metadata.name!;
    const update = revisions.update.metadata.name!;
    const plan = planSet({set, pods: own, current, update, features, now: (resources.clock ?? systemClock).now()});
    const {counters, replaced} = plan;
    let isStale = false;
    try {
      await this.#take(set, new SetPodControl(this.#parts, set, revisions), plan);
    } catch (error) {
      isStale = error instanceof StaleClaim;
      if (!isStale) {
        await this.#report(set, revisions, counters);
        throw error;
      }
    }
    const isReplacing = replaced > 0 && !isStale;
    await this.#report(set, revisions, isReplacing ? {...counters, currentReplicas: counters.currentReplicas - replaced} : counters);
    await this.#history.truncate(set, revisions, new Set(own.map(revisionOf)));
    if (plan.isCut) return {again: 0};
    return afterMillis(isStale ? staleMillis : plan.availableInMillis);
  }

  /** Steps of sets whose pods do not wait for one another are taken many at a time. @throws the first failure */
  async #take({spec}: StatefulSet, control: SetPodControl, {groups}: Plan): Promise<void> {
    for (const steps of groups) {
      if (spec?.podManagementPolicy !== 'Parallel') {
        for (const step of steps) await control.carryOut(step);
        continue;
      }
      const {error} = await slowStart(steps.length, (index) => control.carryOut(steps[index]!));
      if (error !== undefined) throw error as Error;
    }
  }

  async #report(set: StatefulSet, {current, update, collisions}: SetRevisions, counters: Counters): Promise<void> {
    const {replicas, readyReplicas, updatedReplicas} = counters;
    const {updateStrategy, replicas: wanted = 1} = set.spec ?? {};
    const isUpdated =
      updateStrategy?.type === 'RollingUpdate' && [updatedReplicas, readyReplicas, replicas].every((count) => count === wanted);
    const status: StatefulSetStatus = {
      ...set.status,
      ...counters,
      observedGeneration: set.metadata.generation ?? 0,
      currentReplicas: isUpdated ? updatedReplicas : counters.currentReplicas,
      currentRevision: (isUpdated ? update : current).metadata.name!,
      updateRevision: update.metadata.name!,
      collisionCount: collisions,
    };
    // Counters that are left out at 0.
    for (const name of ['readyReplicas', 'currentReplicas', 'updatedReplicas'] as const) if (status[name] === 0) delete status[name];
    if (sameValue(status, set.status)) return;
    await this.#parts.resources.update(statefulSets, set.metadata.namespace!, {...set, status} as ApiObject, 'status');
  }
}

function afterMillis(millis: number): WorkResult {
  return millis === Infinity ? done : {again: Math.min(millis, longestPause)};
}
