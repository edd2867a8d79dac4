import {
  isNotFound,
  type ApiObject,
  type Clock,
  type Controller,
  type FeatureGates,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ObjectCache,
  type ResourceClient,
} from '../../../sdk/index.js';
import {
  CacheInformer,
  done,
  EventRecorder,
  splitObjectKey,
  systemClock,
  WorkQueue,
  type WorkResult,
} from '../../../sdk/controllers/index.js';
import {compileSelector} from '../../../sdk/labels/index.js';
import {namespaced} from '../../../sdk/types/resource-handle.js';
import {sameValue} from '../../../sdk/validation/index.js';
import {claimDependents} from '../workload-pods/claim-dependents.js';
import {ControlledPods, type KeptPod} from '../workload-pods/controlled-pods.js';
import {controllerOf} from '../workload-pods/controller-reference.js';
import {Expectations} from '../workload-pods/expectations.js';
import {isNamespaceTerminating, PodControl, podOfTemplate, podType, type PodOwner} from '../workload-pods/pod-control.js';
import {slowStart} from '../workload-pods/slow-start.js';
import {inDeletionOrder} from './deletion-order.js';
import type {ReplicaCounts, ReplicaKind, ReplicaSetLike} from './replica-kind.js';
import {replicaPods, type ReplicaPod} from './replica-pod.js';
import {nextAvailability, replicaStatus} from './replica-status.js';

/** Pods that are created or deleted before what has become of them is looked at. As in Kubernetes. */
const burst = 500;
/** As Kubernetes' queues. */
const retries = {initialMillis: 5, maximumMillis: 1_000_000};

export interface ReplicaControllerParts {
  readonly resources: ResourceClient;
  readonly cache: ObjectCache;
  readonly naming: NamingProfile;
  readonly gates: FeatureGates;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** How many sets are worked on at the same time. */
  readonly concurrency: number;
}

type Pod = KeptPod<ReplicaPod>;

/** A set, as far as changes of pods are concerned. */
interface Known {
  readonly uid: string;
  readonly selects: ReturnType<typeof compileSelector>;
}

/**
 * Keeps as many pods of each set of replicas as it asks for, and its status. Reads from the server's cache alone; what it has done and does not see there yet is expected
 * (`Expectations`), so that nothing is done twice.
 */
export class ReplicaController implements Controller {
  readonly #kind: ReplicaKind;
  readonly #parts: ReplicaControllerParts;
  readonly #clock: Clock;
  readonly #queue: WorkQueue;
  readonly #sets: CacheInformer<ReplicaSetLike>;
  readonly #pods: ControlledPods<ReplicaPod>;
  readonly #expectations: Expectations;
  readonly #events: EventRecorder;
  readonly #control: PodControl;
  /** By namespace, then by key. */
  readonly #known = new Map<string, Map<string, Known>>();
  #listed: Promise<unknown> = Promise.resolve();

  constructor(kind: ReplicaKind, parts: ReplicaControllerParts) {
    this.#kind = kind;
    this.#parts = parts;
    const {resources, cache, logger, metrics, naming, concurrency} = parts;
    this.#clock = resources.clock ?? systemClock;
    this.#expectations = new Expectations(this.#clock);
    this.#events = new EventRecorder({resources, logger, controller: kind.component, form: 'core'});
    this.#control = new PodControl(resources, this.#events);
    this.#queue = new WorkQueue((key) => this.#reconcile(key), {
      clock: this.#clock,
      scheduler: resources.scheduler,
      concurrency,
      figures: {metrics, name: kind.queue},
      retries,
      onError: (key, err) => logger.warn({key, err}, `the pods of a ${kind.kind} could not be brought in order; retrying`),
    });
    const failed = (key: string, err: unknown) => logger.warn({key, err}, 'an object cannot be read');
    this.#sets = new CacheInformer(cache, namespaced<ReplicaSetLike>(kind.ref.group, kind.ref.version, kind.ref.resource, kind.kind), {
      metadataIndexes: {owner: (metadata) => [controllerOf({metadata})?.uid ?? ''].filter(Boolean)},
      changed: (key) => void this.#setChanged(key),
      deleted: (key) => this.#setGone(key),
      failed,
    });
    this.#pods = new ControlledPods({
      cache,
      kind: kind.kind,
      summarize: replicaPods(naming),
      changed: (pod, before) => this.#podChanged(pod, before),
      failed,
    });
  }

  start(signal: AbortSignal): Promise<void> {
    this.#listed = Promise.all([this.#sets.start(signal), this.#pods.start(signal)]);
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    await this.#queue.close();
    await this.#events.close();
  }

  async #setChanged(key: string): Promise<void> {
    const [namespace, name] = splitObjectKey(key);
    const set = await this.#sets.get(name, namespace);
    if (!set) return;
    let known = this.#known.get(namespace);
    if (!known) this.#known.set(namespace, (known = new Map()));
    const uid = set.metadata.uid!;
    if (known.get(key)?.uid !== uid) this.#expectations.forget(key);
    known.set(key, {uid, selects: compileSelector(this.#kind.selectorOf(set))});
    this.#queue.add(key);
  }

  #setGone(key: string): void {
    const [namespace] = splitObjectKey(key);
    const known = this.#known.get(namespace);
    known?.delete(key);
    if (known?.size === 0) this.#known.delete(namespace);
    this.#expectations.forget(key);
    this.#queue.add(key);
  }

  #podChanged(pod: Pod | undefined, before: Pod | undefined): void {
    const owner = pod && this.#ownerOf(pod);
    const ownerBefore = before && this.#ownerOf(before);
    if (owner && !before) this.#expectations.created(owner);
    if (owner && pod.isDeleted) this.#expectations.deleted(owner, pod.uid);
    if (ownerBefore && !pod) this.#expectations.deleted(ownerBefore, before.uid);
    if (ownerBefore && ownerBefore !== owner) this.#queue.add(ownerBefore);
    if (owner) this.#queue.add(owner);
    // Somebody may want to adopt it.
    else if (pod && !pod.controller && !pod.isDeleted && (!before || before.controller || !sameValue(pod.labels, before.labels)))
      for (const [key, {selects}] of this.#known.get(pod.namespace) ?? []) if (selects(pod.labels)) this.#queue.add(key);
  }

  /** The key of the set that controls a pod. */
  #ownerOf({namespace, controller}: Pod): string | undefined {
    const key = controller && `${namespace}/${controller.name}`;
    return key !== undefined && this.#known.get(namespace)?.get(key)?.uid === controller?.uid ? key : undefined;
  }

  async #reconcile(key: string): Promise<WorkResult> {
    await this.#listed;
    const [namespace, name] = splitObjectKey(key);
    const set = await this.#sets.get(name, namespace);
    if (!set) return done;
    // Asked first: what is seen after the pods were read is looked at in the next round.
    const areMet = this.#expectations.areMet(key);
    const uid = set.metadata.uid!;
    const selects = compileSelector(this.#kind.selectorOf(set));
    const controlled = this.#pods.controlledBy(uid);
    const {ref, apiVersion, kind} = this.#kind;
    const claim = {
      resources: this.#parts.resources,
      owner: set,
      ownerRef: ref,
      apiVersion,
      kind,
      dependents: podType,
      dependentKind: 'Pod',
      selects,
    };
    const candidates = [...controlled, ...this.#pods.orphans(namespace)].filter(({summary}) => summary.isActive);
    const active = await claimDependents(claim, candidates);
    const error = areMet && !set.metadata.deletionTimestamp ? await this.#manage(key, set, active) : undefined;
    const now = this.#clock.now();
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
    this.#expectations.expectCreations(key, count);
    const {succeeded, error} = await slowStart(count, async () => {
      try {
        await this.#control.create(podOfTemplate(spec?.template ?? {}, owner), owner);
      } catch (failure) {
        if (!isNamespaceTerminating(failure)) throw failure;
      }
    });
    this.#expectations.created(key, count - succeeded);
    return error;
  }

  async #delete(key: string, set: ReplicaSetLike, owner: PodOwner, active: readonly Pod[], count: number): Promise<unknown> {
    const chosen = count < active.length ? inDeletionOrder(active, this.#deletionOrder(set)).slice(0, count) : active;
    this.#expectations.expectDeletions(
      key,
      chosen.map(({uid}) => uid),
    );
    const results = await Promise.allSettled(
      chosen.map(async ({name, uid}) => {
        try {
          await this.#control.delete(name, owner);
        } catch (error) {
          this.#expectations.deleted(key, uid);
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
      now: this.#clock.now(),
    };
  }

  /** The pods of all sets that the controller of this one has: those of a Deployment. */
  #relatedPods(set: ReplicaSetLike): Pod[] {
    const owner = controllerOf(set);
    if (!owner) return [];
    return this.#sets.by('owner', owner.uid).flatMap((key) => {
      const [namespace] = splitObjectKey(key);
      const known = this.#known.get(namespace)?.get(key);
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
