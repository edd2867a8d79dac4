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
import {done, WorkQueue, type WorkResult} from '../../../sdk/controllers/index.js';
import {compileSelector} from '../../../sdk/labels/index.js';
import type {Job} from '../../../sdk/types/unchecked/batch/v1.js';
import {OwnedPods} from '../../families/workload-pods/owned-pods.js';
import {PodControl, podType} from '../../families/workload-pods/pod-control.js';
import {WorkloadLoop, type KnownWorkload} from '../../families/workload-pods/workload-loop.js';
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
interface Known extends KnownWorkload {
  /** Whether its pods need not be counted any more. */
  readonly isFinished: boolean;
  /** Whether another controller does the work. */
  readonly isForeign: boolean;
}

/** Runs Jobs to completion. Each pod carries a finalizer until it is counted, so that none is forgotten. */
@controller()
export class JobController implements Controller {
  readonly #parts: JobParts;
  readonly #loop: WorkloadLoop<StoredJob, Known>;
  readonly #pods: OwnedPods<JobPod, StoredJob, Known>;
  /** Pods that wait to be counted, but whose Job has ended or is gone. */
  readonly #orphans: WorkQueue;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
  ) {
    const concurrency = config['concurrency'] as number;
    const type = {ref: jobs, apiVersion: batchVersion, kind: jobKind};
    this.#loop = new WorkloadLoop<StoredJob, Known>(
      {resources, cache, logger, metrics, concurrency},
      {
        type,
        component: 'job-controller',
        queue: 'job',
        retries,
        know: (job) => this.#know(job),
        changed: (_key, known) => {
          if (known.isFinished) this.#release(known.uid);
        },
        gone: (key, {uid}) => this.#forget(key, uid),
        reconcile: (key, job) => this.#reconcile(key, job),
      },
    );
    const {clock, events, expectations} = this.#loop;
    this.#parts = {
      resources,
      events,
      control: new PodControl(resources, events),
      clock,
      features: jobFeatures(gates),
      keys: jobKeys(naming),
      expectations,
      failures: new Map(),
      untracked: new Set(),
      finished: new Set(),
    };
    this.#orphans = new WorkQueue((key) => this.#untrack(key), {
      clock,
      scheduler: resources.scheduler,
      concurrency,
      retries,
      figures: {metrics, name: 'job_orphan_pod'},
      onError: (key, err) => logger.warn({key, err}, 'a pod could not be released from its Job; retrying'),
    });
    this.#pods = new OwnedPods({
      resources,
      cache,
      type,
      loop: this.#loop,
      summarize: jobPods(naming),
      changed: (pod, before) => this.#podChanged(pod, before),
      finalizer: this.#parts.keys.finalizer,
    });
  }

  start(signal: AbortSignal): Promise<void> {
    this.#pods.start(signal);
    return this.#loop.start(signal);
  }

  async stop(): Promise<void> {
    await this.#orphans.close();
    await this.#loop.stop();
  }

  #know(job: Readonly<StoredJob>): Known {
    return {
      uid: job.metadata.uid!,
      selects: compileSelector(job.spec?.selector),
      isFinished: isFinished(job),
      isForeign: this.#isForeign(job),
    };
  }

  #forget(key: string, uid: string): void {
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
    const {untracked} = this.#parts;
    if (before && !pod) untracked.delete(before.uid);
    if (pod && !pod.summary.isTracked) untracked.delete(pod.uid);
    if (pod?.summary.isTracked && this.#isOrphan(pod)) this.#orphans.add(pod.key);
  }

  /** Whether nobody counts a pod any more. */
  #isOrphan(pod: Kept): boolean {
    const owner = this.#loop.ownerOf(pod);
    const known = owner === undefined ? undefined : this.#loop.known(owner);
    return known ? known.isFinished && !known.isForeign : true;
  }

  async #untrack(key: string): Promise<WorkResult> {
    await this.#loop.listed;
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

  async #reconcile(key: string, found: Readonly<StoredJob>): Promise<WorkResult> {
    if (this.#isForeign(found)) return done;
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
    const claimed = await this.#pods.claim(job, job.spec?.selector);
    // Adopted pods have the finalizer by now.
    return claimed.map((pod) => (pod.controller ? pod : {...pod, summary: {...pod.summary, isTracked: true}}));
  }
}
