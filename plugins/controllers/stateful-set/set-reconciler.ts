import {
  ifFound,
  isAlreadyExists,
  isConflict,
  isNotFound,
  type ApiObject,
  type NamingProfile,
  type ResourceClient,
} from '../../../sdk/index.js';
import {done, systemClock, type WorkResult} from '../../../sdk/controllers/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {PersistentVolumeClaim, Pod} from '../../../sdk/types/unchecked/core/v1.js';
import type {StatefulSet, StatefulSetStatus} from '../../../sdk/types/unchecked/apps/v1.js';
import {controllerOf} from '../../families/workload-pods/controller-reference.js';
import {templateOf} from './revision-object.js';
import {claimsOf, goesWithFormerPod, hasItsClaims, retainedOwners, volumesOf} from './set-claims.js';
import {claims, podName, pods, statefulSets, type SetFeatures} from './set-object.js';
import {planSet, type Counters, type Step} from './set-plan.js';
import {newPod, podNameLabel, revisionOf} from './set-pod.js';
import {podsOf} from './set-pods.js';
import {RevisionHistory, type SetRevisions} from './set-revisions.js';

/** Longest timer, in milliseconds. */
const longestPause = 3_600_000;

/** Brings one StatefulSet a step closer to its desired state. */
export class SetReconciler {
  readonly #history: RevisionHistory;
  readonly #resources: ResourceClient;
  readonly #naming: NamingProfile;
  readonly #features: SetFeatures;

  constructor(resources: ResourceClient, naming: NamingProfile, features: SetFeatures) {
    this.#resources = resources;
    this.#naming = naming;
    this.#features = features;
    this.#history = new RevisionHistory(resources, naming);
  }

  /** @param known names of pods known to be controlled by a set of this name */
  async reconcile(namespace: string, name: string, known: ReadonlySet<string>): Promise<WorkResult> {
    try {
      const set = (await this.#resources.get(statefulSets, namespace, name)) as StatefulSet;
      return await this.#reconcile(set, known);
    } catch (error) {
      // The set was deleted, or something changed concurrently, perhaps by another server.
      if (isNotFound(error)) return done;
      if (isConflict(error)) return {again: 0};
      throw error;
    }
  }

  async #reconcile(set: StatefulSet, known: ReadonlySet<string>): Promise<WorkResult> {
    const own = await podsOf(this.#resources, set, known);
    const revisions = await this.#history.of(set);
    const current = revisions.current.metadata.name!;
    const update = revisions.update.metadata.name!;
    const plan = planSet({set, pods: own, current, update, features: this.#features, now: (this.#resources.clock ?? systemClock).now()});
    try {
      await this.#take(set, revisions, plan.steps);
    } catch (error) {
      await this.#report(set, revisions, plan.before, false);
      throw error;
    }
    await this.#report(set, revisions, plan.after, true);
    await this.#history.truncate(set, revisions, new Set(own.map(revisionOf)));
    if (plan.isCut) return {again: 0};
    return afterMillis(plan.availableInMillis);
  }

  async #take(set: StatefulSet, revisions: SetRevisions, steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      if (step.do === 'create') {
        await this.#create(set, revisions, step.ordinal, step.revision);
      } else {
        await this.#retainClaims(set, step);
        if (step.do === 'delete') await this.#delete(step.pod);
        else await this.#repair(set, step.ordinal, step.pod);
      }
    }
  }

  async #create(set: StatefulSet, {current, update}: SetRevisions, ordinal: number, revision: string): Promise<void> {
    await this.#createClaims(set, ordinal);
    const template = revision === update.metadata.name ? set.spec?.template : templateOf(current);
    const pod = newPod(this.#naming, set, template ?? {}, revision, ordinal);
    const made = await this.#createPod(set, pod);
    await this.#retainClaims(set, {ordinal, pod: made, isScaledDown: false});
  }

  /** The pod may exist already, created by another server. */
  async #createPod(set: StatefulSet, pod: Pod): Promise<Pod> {
    const namespace = set.metadata.namespace!;
    try {
      return (await this.#resources.create(pods, namespace, pod)) as Pod;
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const present = (await this.#resources.get(pods, namespace, pod.metadata.name!)) as Pod;
      if (controllerOf(present)?.uid !== set.metadata.uid) throw error;
      return present;
    }
  }

  /** @throws Error if a claim of the pod's predecessor has not been deleted yet */
  async #createClaims(set: StatefulSet, ordinal: number): Promise<void> {
    for (const wanted of claimsOf(set, ordinal)) {
      const claim = await this.#claim(wanted);
      if (claim === undefined) await this.#resources.create(claims, set.metadata.namespace!, wanted);
      else if (claim.metadata.deletionTimestamp || (this.#features.claimRetention && goesWithFormerPod(podName(set, ordinal), claim)))
        throw new Error(`the claim ${claim.metadata.name} is being deleted: its pod is created once it is gone`);
    }
  }

  async #claim({metadata}: PersistentVolumeClaim): Promise<PersistentVolumeClaim | undefined> {
    return (await ifFound(this.#resources.get(claims, metadata.namespace!, metadata.name!))) as PersistentVolumeClaim | undefined;
  }

  /** Corrects labels and volumes of a pod that differ from those the set requires. */
  async #repair(set: StatefulSet, ordinal: number, pod: Pod): Promise<void> {
    const label = podNameLabel(this.#naming);
    const hasClaims = hasItsClaims(set, ordinal, pod);
    if (hasClaims && pod.metadata.labels?.[label] === pod.metadata.name) return;
    if (!hasClaims) await this.#createClaims(set, ordinal);
    const labels = {...pod.metadata.labels, [label]: pod.metadata.name!};
    const volumes = hasClaims ? pod.spec?.volumes : volumesOf(set, ordinal, pod.spec?.volumes ?? []);
    const spec = {...pod.spec, ...(volumes ? {volumes} : {})};
    await this.#resources.update(pods, pod.metadata.namespace!, {...pod, metadata: {...pod.metadata, labels}, spec} as ApiObject);
  }

  async #retainClaims(set: StatefulSet, {ordinal, pod, isScaledDown}: {ordinal: number; pod: Pod; isScaledDown: boolean}): Promise<void> {
    if (!this.#features.claimRetention) return;
    for (const wanted of claimsOf(set, ordinal)) {
      const claim = await this.#claim(wanted);
      if (claim === undefined || claim.metadata.deletionTimestamp) continue;
      const owners = retainedOwners(set, pod, isScaledDown, claim);
      const {metadata} = claim;
      // Not a patch: the controller's role allows updates.
      if (owners)
        await this.#resources.update(claims, metadata.namespace!, {
          ...claim,
          metadata: {...metadata, ownerReferences: owners},
        } as ApiObject);
    }
  }

  /** Deletes exactly this pod, not another one with its name. */
  async #delete({metadata}: Pod): Promise<void> {
    await ifFound(this.#resources.delete(pods, metadata.namespace!, metadata.name!, {uid: metadata.uid!}));
  }

  async #report(set: StatefulSet, {current, update, collisions}: SetRevisions, counters: Counters, isWhole: boolean): Promise<void> {
    const {replicas, readyReplicas, updatedReplicas} = counters;
    const isRolling = set.spec?.updateStrategy?.type === 'RollingUpdate';
    const isUpdated = isWhole && isRolling && updatedReplicas === replicas && readyReplicas === replicas;
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
    await this.#resources.update(statefulSets, set.metadata.namespace!, {...set, status} as ApiObject, 'status');
  }
}

function afterMillis(millis: number): WorkResult {
  return millis === Infinity ? done : {again: Math.min(millis, longestPause)};
}
