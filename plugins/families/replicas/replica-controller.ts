import {
  isNamespaceTerminating,
  isNotFound,
  type ApiObject,
  type Controller,
  type FeatureGates,
  type NamingProfile,
} from '../../../sdk/index.js';
import {done, type WorkResult} from '../../../sdk/controllers/index.js';
import {compileSelector} from '../../../sdk/labels/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import {controllerOf} from '../workload-pods/controller-reference.js';
import type {KeptPod} from '../workload-pods/controlled-pods.js';
import {OwnedPods} from '../workload-pods/owned-pods.js';
import {PodControl, podOfTemplate, type PodOwner} from '../workload-pods/pod-control.js';
import {slowStart} from '../workload-pods/slow-start.js';
import {WorkloadLoop, type WorkloadParts} from '../workload-pods/workload-loop.js';
import {inDeletionOrder} from './deletion-order.js';
import type {ReplicaCounts, ReplicaKind, ReplicaSetLike} from './replica-kind.js';
import {replicaPods, type ReplicaPod} from './replica-pod.js';
import {nextAvailability, replicaStatus} from './replica-status.js';

/** Pods that are created or deleted before what has become of them is looked at. As in Kubernetes. */
const burst = 500;
/** As Kubernetes' queues. */
const retries = {initialMillis: 5, maximumMillis: 1_000_000};

export interface ReplicaControllerParts extends WorkloadParts {
  readonly naming: NamingProfile;
  readonly gates: FeatureGates;
}

type Pod = KeptPod<ReplicaPod>;

/**
 * Keeps as many pods of each set of replicas as it asks for, and its status. Reads from the server's cache alone; what it has done and does not see there yet is expected
 * (`Expectations`), so that nothing is done twice.
 */
export class ReplicaController implements Controller {
  readonly #kind: ReplicaKind;
  readonly #parts: ReplicaControllerParts;
  readonly #loop: WorkloadLoop<ReplicaSetLike>;
  readonly #pods: OwnedPods<ReplicaPod, ReplicaSetLike>;
  readonly #control: PodControl;

  constructor(kind: ReplicaKind, parts: ReplicaControllerParts) {
    this.#kind = kind;
    this.#parts = parts;
    const {resources, cache, naming} = parts;
    this.#loop = new WorkloadLoop<ReplicaSetLike>(parts, {
      type: kind,
      component: kind.component,
      queue: kind.queue,
      retries,
      metadataIndexes: {owner: (metadata) => [controllerOf({metadata})?.uid ?? ''].filter(Boolean)},
      know: (set) => ({uid: set.metadata.uid!, selects: compileSelector(kind.selectorOf(set))}),
      reconcile: (key, set) => this.#reconcile(key, set),
    });
    this.#control = new PodControl(resources, this.#loop.events);
    this.#pods = new OwnedPods({resources, cache, type: kind, loop: this.#loop, summarize: replicaPods(naming)});
  }

  start(signal: AbortSignal): Promise<void> {
    this.#pods.start(signal);
    return this.#loop.start(signal);
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #reconcile(key: string, set: Readonly<ReplicaSetLike>): Promise<WorkResult> {
    // Asked first: what is seen after the pods were read is looked at in the next round.
    const areMet = this.#loop.expectations.areMet(key);
    const selector = this.#kind.selectorOf(set);
    const controlled = this.#pods.controlledBy(set.metadata.uid!);
    const active = await this.#pods.claim(set, selector, ({summary}) => summary.isActive);
    const error = areMet && !set.metadata.deletionTimestamp ? await this.#manage(key, set, active) : undefined;
    const now = this.#loop.clock.now();
    const selects = compileSelector(selector);
    const terminating = this.#countsTerminating
      ? controlled.filter(({labels, summary}) => summary.isTerminating && selects(labels)).length
      : undefined;
    const status = replicaStatus({set, active, terminating, error, now});
    await this.#report(set, status);
    if (error !== undefined) throw error as Error;
    return this.#next(set, status, active, now);
  }

  get #countsTerminating(): boolean {
    return this.#kind.countsTerminating && this.#parts.gates.enabled('DeploymentReplicaSetTerminatingReplicas');
  }

  /** When pods become available without any change. */
  #next({spec}: ReplicaSetLike, {readyReplicas, availableReplicas}: ReplicaCounts, active: readonly Pod[], now: number): WorkResult {
    const {minReadySeconds = 0} = spec ?? {};
    if (minReadySeconds <= 0 || readyReplicas === availableReplicas) return done;
    return {again: nextAvailability(active, minReadySeconds, now) ?? minReadySeconds * 1000};
  }

  /** Creates or deletes pods. Answers the first failure. */
  async #manage(key: string, set: ReplicaSetLike, active: readonly Pod[]): Promise<unknown> {
    const surplus = active.length - (set.spec?.replicas ?? 1);
    if (surplus === 0) return undefined;
    const {apiVersion, kind} = this.#kind;
    const owner = {object: {...set, apiVersion, kind}, apiVersion, kind};
    const count = Math.min(Math.abs(surplus), burst);
    return surplus < 0 ? this.#create(key, set, owner, count) : this.#delete(key, set, owner, active, count);
  }

  async #create(key: string, {spec}: ReplicaSetLike, owner: PodOwner, count: number): Promise<unknown> {
    this.#loop.expectations.expectCreations(key, count);
    const {succeeded, error} = await slowStart(count, async () => {
      try {
        await this.#control.create(podOfTemplate(spec?.template ?? {}, owner), owner);
      } catch (failure) {
        if (!isNamespaceTerminating(failure)) throw failure;
      }
    });
    this.#loop.expectations.created(key, count - succeeded);
    return error;
  }

  async #delete(key: string, set: ReplicaSetLike, owner: PodOwner, active: readonly Pod[], count: number): Promise<unknown> {
    const chosen = count < active.length ? inDeletionOrder(active, this.#deletionOrder(set)).slice(0, count) : active;
    this.#loop.expectations.expectDeletions(
      key,
      chosen.map(({uid}) => uid),
    );
    const results = await Promise.allSettled(
      chosen.map(async ({name, uid}) => {
        try {
          await this.#control.delete(name, owner);
        } catch (error) {
          this.#loop.expectations.deleted(key, uid);
          if (!isNotFound(error)) throw error;
        }
      }),
    );
    return results.find((result) => result.status === 'rejected')?.reason;
  }

  #deletionOrder(set: ReplicaSetLike) {
    const {gates} = this.#parts;
    const onNode = new Map<string, number>();
    for (const {summary} of this.#relatedPods(set))
      if (summary.isActive) onNode.set(summary.nodeName, (onNode.get(summary.nodeName) ?? 0) + 1);
    return {
      onNode,
      hasCosts: gates.enabled('PodDeletionCost'),
      isLogarithmic: gates.enabled('LogarithmicScaleDown'),
      now: this.#loop.clock.now(),
    };
  }

  /** The pods of all sets that the controller of this one has: those of a Deployment. */
  #relatedPods(set: ReplicaSetLike): Pod[] {
    const owner = controllerOf(set);
    if (!owner) return [];
    return this.#loop.by('owner', owner.uid).flatMap((key) => {
      const known = this.#loop.known(key);
      return known ? this.#pods.controlledBy(known.uid) : [];
    });
  }

  async #report(set: ReplicaSetLike, status: ReplicaCounts): Promise<void> {
    const {observedGeneration = 0, ...before} = set.status ?? {};
    const {generation = 0, namespace = '', name = ''} = set.metadata;
    if (Number(observedGeneration) === Number(generation) && sameValue(before, status)) return;
    const {ref, apiVersion, kind} = this.#kind;
    const {resources} = this.#parts;
    const write = (object: ApiObject) =>
      resources.update(
        ref,
        namespace,
        {...object, apiVersion, kind, status: {...status, observedGeneration: generation}} as ApiObject,
        'status',
      );
    try {
      await write(set);
    } catch (error) {
      if (isNotFound(error)) throw error;
      // What was read may have been older than what is there.
      await write(await resources.get(ref, namespace, name));
    }
  }
}
