import {
  controller,
  inject,
  isConflict,
  isNotFound,
  Tokens,
  type ApiObject,
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
import type {Job} from '../../../sdk/types/unchecked/batch/v1.js';
import {claimDependents} from '../../families/workload-pods/claim-dependents.js';
import {ControlledPods} from '../../families/workload-pods/controlled-pods.js';
import {Expectations} from '../../families/workload-pods/expectations.js';
import {PodControl, podType} from '../../families/workload-pods/pod-control.js';
import {batchVersion, isFinished, jobFeatures, jobKeys, jobKind, jobs} from './job-object.js';
import {jobPods, type JobPod, type Kept} from './job-pod.js';
import {JobRound, type JobParts} from './job-round.js';
import {syncJob} from './sync-job.js';

/** As Kubernetes' queue for Jobs. */
const retries = {initialMillis: 1000, maximumMillis: 60_000};
/** After somebody else has changed an object: until the cache has it. */
const conflictMillis = 5;

type StoredJob = Job & ApiObject;

/** A Job, as far as changes of pods are concerned. */
interface Known {
  readonly uid: string;
  readonly selects: ReturnType<typeof compileSelector>;
  /** Whether its pods need not be counted any more. */
  readonly isFinished: boolean;
  /** Whether another controller does the work. */
  readonly isForeign: boolean;
}

/** Runs Jobs to completion. Each pod carries a finalizer until it is counted, so that none is forgotten. */
@controller()
export class JobController implements Controller {
  readonly #parts: JobParts;
  readonly #queue: WorkQueue;
  /** Pods that wait to be counted, but whose Job has ended or is gone. */
  readonly #orphans: WorkQueue;
  readonly #jobs: CacheInformer<StoredJob>;
  readonly #pods: ControlledPods<JobPod>;
  /** By namespace, then by key. */
  readonly #known = new Map<string, Map<string, Known>>();
  #listed: Promise<unknown> = Promise.resolve();

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
  ) {
    const clock = resources.clock ?? systemClock;
    const events = new EventRecorder({resources, logger, controller: 'job-controller', form: 'core'});
    this.#parts = {
      resources,
      events,
      control: new PodControl(resources, events),
      clock,
      features: jobFeatures(gates),
      keys: jobKeys(naming),
      expectations: new Expectations(clock),
      failures: new Map(),
      untracked: new Set(),
      finished: new Set(),
    };
    const queue = {clock, scheduler: resources.scheduler, concurrency: config['concurrency'] as number, retries};
    this.#queue = new WorkQueue((key) => this.#reconcile(key), {
      ...queue,
      figures: {metrics, name: 'job'},
      onError: (key, err) => logger.warn({key, err}, 'a Job could not be brought on; retrying'),
    });
    this.#orphans = new WorkQueue((key) => this.#untrack(key), {
      ...queue,
      figures: {metrics, name: 'job_orphan_pod'},
      onError: (key, err) => logger.warn({key, err}, 'a pod could not be released from its Job; retrying'),
    });
    const failed = (key: string, err: unknown) => logger.warn({key, err}, 'an object cannot be read');
    const {group, version, resource} = jobs;
    this.#jobs = new CacheInformer(cache, namespaced<StoredJob>(group, version, resource, jobKind), {
      changed: (key) => void this.#changed(key),
      deleted: (key) => this.#gone(key),
      failed,
    });
    this.#pods = new ControlledPods({
      cache,
      kind: jobKind,
      summarize: jobPods(naming),
      changed: (pod, before) => this.#podChanged(pod, before),
      failed,
    });
  }

  start(signal: AbortSignal): Promise<void> {
    this.#listed = Promise.all([this.#jobs.start(signal), this.#pods.start(signal)]);
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    await this.#queue.close();
    await this.#orphans.close();
    await this.#parts.events.close();
  }

  async #changed(key: string): Promise<void> {
    const [namespace, name] = splitObjectKey(key);
    const job = await this.#jobs.get(name, namespace);
    if (!job) return;
    let known = this.#known.get(namespace);
    if (!known) this.#known.set(namespace, (known = new Map()));
    const uid = job.metadata.uid!;
    const before = known.get(key);
    if (before && before.uid !== uid) this.#forget(key, before.uid);
    const hasEnded = isFinished(job);
    known.set(key, {uid, selects: compileSelector(job.spec?.selector), isFinished: hasEnded, isForeign: this.#isForeign(job)});
    if (hasEnded) this.#release(uid);
    this.#queue.add(key);
  }

  #gone(key: string): void {
    const [namespace] = splitObjectKey(key);
    const known = this.#known.get(namespace);
    const job = known?.get(key);
    known?.delete(key);
    if (known?.size === 0) this.#known.delete(namespace);
    if (job) this.#forget(key, job.uid);
  }

  #forget(key: string, uid: string): void {
    this.#parts.expectations.forget(key);
    this.#parts.failures.delete(key);
    this.#parts.finished.delete(uid);
    this.#release(uid);
  }

  /** The pods of a Job that counts them no more. */
  #release(uid: string): void {
    for (const {key, summary} of this.#pods.controlledBy(uid)) if (summary.isTracked) this.#orphans.add(key);
  }

  #isForeign({spec}: StoredJob): boolean {
    const {features, keys} = this.#parts;
    return features.managedBy && spec?.managedBy !== undefined && spec.managedBy !== keys.manager;
  }

  #podChanged(pod: Kept | undefined, before: Kept | undefined): void {
    const {expectations, untracked} = this.#parts;
    const owner = pod && this.#ownerOf(pod);
    const ownerBefore = before && this.#ownerOf(before);
    if (owner && !before) expectations.created(owner);
    if (owner && pod.isDeleted) expectations.deleted(owner, pod.uid);
    if (before && !pod) {
      if (ownerBefore) expectations.deleted(ownerBefore, before.uid);
      untracked.delete(before.uid);
    }
    if (pod && !pod.summary.isTracked) untracked.delete(pod.uid);
    if (ownerBefore && ownerBefore !== owner) this.#queue.add(ownerBefore);
    if (owner) this.#queue.add(owner);
    if (pod?.summary.isTracked && this.#isOrphan(pod)) this.#orphans.add(pod.key);
    if (pod && !pod.controller && !pod.isDeleted && (!before || before.controller || !sameValue(pod.labels, before.labels)))
      for (const [key, {selects}] of this.#known.get(pod.namespace) ?? []) if (selects(pod.labels)) this.#queue.add(key);
  }

  /** The key of the Job that controls a pod. */
  #ownerOf({namespace, controller: job}: Kept): string | undefined {
    const key = job && `${namespace}/${job.name}`;
    return key !== undefined && this.#known.get(namespace)?.get(key)?.uid === job?.uid ? key : undefined;
  }

  /** Whether nobody counts a pod any more. */
  #isOrphan(pod: Kept): boolean {
    const owner = this.#ownerOf(pod);
    const known = owner === undefined ? undefined : this.#known.get(pod.namespace)?.get(owner);
    return known ? known.isFinished && !known.isForeign : true;
  }

  async #untrack(key: string): Promise<WorkResult> {
    await this.#listed;
    const pod = this.#pods.get(key);
    if (!pod?.summary.isTracked || !this.#isOrphan(pod)) return done;
    const {resources, keys} = this.#parts;
    const patch = {metadata: {'$deleteFromPrimitiveList/finalizers': [keys.finalizer]}};
    try {
      await resources.patch(podType, pod.namespace, pod.name, patch, '', {form: 'strategic'});
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    return done;
  }

  async #reconcile(key: string): Promise<WorkResult> {
    await this.#listed;
    const [namespace, name] = splitObjectKey(key);
    const found = await this.#jobs.get(name, namespace);
    if (!found || this.#isForeign(found)) return done;
    const {finished, expectations, failures} = this.#parts;
    const uid = found.metadata.uid!;
    if (isFinished(found)) {
      failures.delete(key);
      finished.delete(uid);
      return done;
    }
    if (finished.has(uid)) return done;
    const areMet = expectations.areMet(key);
    try {
      const round = new JobRound(this.#parts, key, structuredClone(found) as Job, await this.#podsOf(found));
      await syncJob(round, areMet);
      return round.again === Infinity ? done : {again: round.again};
    } catch (error) {
      if (isConflict(error)) return {again: conflictMillis};
      if (isNotFound(error)) return done;
      throw error;
    }
  }

  async #podsOf(job: Readonly<StoredJob>): Promise<Kept[]> {
    const {resources, keys} = this.#parts;
    const {namespace = '', uid = ''} = job.metadata;
    const claim = {
      resources,
      owner: job,
      ownerRef: jobs,
      apiVersion: batchVersion,
      kind: jobKind,
      dependents: podType,
      dependentKind: 'Pod',
      finalizer: keys.finalizer,
      selects: compileSelector(job.spec?.selector),
    };
    const claimed = await claimDependents(claim, [...this.#pods.controlledBy(uid), ...this.#pods.orphans(namespace)]);
    // Adopted pods have the finalizer by now.
    return claimed.map((pod) => (pod.controller ? pod : {...pod, summary: {...pod.summary, isTracked: true}}));
  }
}
