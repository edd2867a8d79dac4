import type {ApiObject, Clock, ResourceClient} from '../../../sdk/index.js';
import type {EventRecorder} from '../../../sdk/controllers/index.js';
import type {Job, JobCondition, JobStatus} from '../../../sdk/types/unchecked/batch/v1.js';
import type {Expectations} from '../../families/workload-pods/expectations.js';
import {podType, type PodControl, type PodOwner} from '../../families/workload-pods/pod-control.js';
import {noFailures, withEnded, type Failures} from './backoff.js';
import {Indexes} from './indexes.js';
import {
  batchVersion,
  completionsOf,
  countsTerminating,
  isIndexed,
  jobKind,
  jobs,
  limitPerIndex,
  type JobFeatures,
  type JobKeys,
} from './job-object.js';
import type {Kept} from './job-pod.js';
import {failsIndex, failureOf, hasFailed} from './policies.js';

export interface JobParts {
  readonly resources: ResourceClient;
  readonly events: EventRecorder;
  readonly control: PodControl;
  readonly clock: Clock;
  readonly features: JobFeatures;
  readonly keys: JobKeys;
  readonly expectations: Expectations;
  /** Failures by key of the Job. */
  readonly failures: Map<string, Failures>;
  /** Uids of pods whose finalizer has been removed, which the cache does not show yet. */
  readonly untracked: Set<string>;
  /** Uids of Jobs that have been marked as finished, which the cache does not show yet. */
  readonly finished: Set<string>;
}

/** One look at a Job and its pods, with what follows from it. */
export class JobRound {
  readonly parts: JobParts;
  readonly key: string;
  /** A copy, whose status is changed. */
  readonly job: Job;
  readonly pods: readonly Kept[];
  readonly active: readonly Kept[];
  /** In milliseconds since 1970. */
  readonly now: number;
  readonly isIndexed: boolean;
  readonly completions: number;
  readonly newSucceeded: readonly Kept[];
  readonly newFailed: readonly Kept[];
  readonly succeeded: number;
  readonly failed: number;
  readonly failures: Failures;
  readonly succeededBefore: Indexes;
  succeededIndexes: Indexes;
  /** Undefined unless failures are counted by index. */
  readonly failedIndexes: Indexes | undefined;
  /** The last failed pod of an index, which stays until its successor is there: it has the count of failures. */
  readonly replaced: ReadonlyMap<number, Kept>;
  ready: number;
  terminating: number | undefined;
  /** Why the Job has ended, as far as it has. */
  ending: JobCondition | undefined;
  /** After how many milliseconds to look again. */
  again = Infinity;

  constructor(parts: JobParts, key: string, job: Job, pods: readonly Kept[]) {
    this.parts = parts;
    this.key = key;
    this.job = job;
    this.pods = pods;
    const {features} = parts;
    this.now = parts.clock.now();
    this.isIndexed = isIndexed(job);
    this.completions = completionsOf(job) ?? 0;
    const status = this.status;
    const waiting = (status.uncountedTerminatedPods ??= {});
    const [succeeded, failed] = [new Set(waiting.succeeded), new Set(waiting.failed)];
    this.active = pods.filter(({summary}) => summary.isActive);
    this.ready = this.active.filter(({summary}) => summary.isReady).length;
    this.terminating = countsTerminating(job, features) ? pods.filter(({summary}) => summary.isTerminating).length : undefined;
    this.newSucceeded = this.#countable(succeeded).filter(({summary}) => summary.status === 'Succeeded');
    this.newFailed = this.#countable(failed).filter((pod) => hasFailed(pod, job, features));
    this.failures = withEnded(parts.failures.get(key) ?? noFailures, this.newSucceeded, this.newFailed);
    const counted = this.newFailed.filter((pod) => failureOf(job.spec?.podFailurePolicy, pod, features).counts);
    this.failed = (status.failed ?? 0) + counted.length + failed.size;
    this.succeededBefore = this.#indexes(status.completedIndexes);
    this.succeededIndexes = this.succeededBefore.with(this.#indexesOf(({summary}) => summary.status === 'Succeeded'));
    this.succeeded = this.isIndexed ? this.succeededIndexes.size : (status.succeeded ?? 0) + this.newSucceeded.length + succeeded.size;
    const hasLimit = this.isIndexed && limitPerIndex(job, features) !== undefined;
    this.failedIndexes = hasLimit
      ? this.#indexes(status.failedIndexes).with(this.#indexesOf((pod) => failsIndex(pod, job, features)))
      : undefined;
    this.replaced = this.#replaced();
  }

  get status(): JobStatus {
    return (this.job.status ??= {});
  }

  get owner(): PodOwner {
    return {object: {...this.job, apiVersion: batchVersion, kind: jobKind} as ApiObject, apiVersion: batchVersion, kind: jobKind};
  }

  hasIndex({summary: {index}}: Kept): boolean {
    return index >= 0 && index < this.completions;
  }

  /** Whether a pod waits to be counted. */
  isTracked({uid, summary}: Kept): boolean {
    return summary.isTracked && !this.parts.untracked.has(uid);
  }

  lookAgainIn(millis: number): void {
    this.again = Math.min(this.again, millis);
  }

  event(type: 'Normal' | 'Warning', reason: string, note: string): void {
    this.parts.events.record(this.owner.object, {type, reason, note});
  }

  /** Writes the status. Later writes of the round build on it. */
  async saveStatus(): Promise<void> {
    const {object} = this.owner;
    const {metadata} = await this.parts.resources.update(jobs, object.metadata.namespace!, object, 'status');
    this.job.metadata = {...this.job.metadata, resourceVersion: metadata.resourceVersion!};
  }

  /** Has a pod no longer wait to be counted. @throws StatusError */
  async untrack({namespace, name}: Kept): Promise<void> {
    const patch = {metadata: {'$deleteFromPrimitiveList/finalizers': [this.parts.keys.finalizer]}};
    await this.parts.resources.patch(podType, namespace, name, patch, '', {form: 'strategic'});
  }

  #countable(counted: ReadonlySet<string>): Kept[] {
    return this.pods.filter((pod) => this.isTracked(pod) && !counted.has(pod.uid) && (!this.isIndexed || this.hasIndex(pod)));
  }

  #indexes(text: string | undefined): Indexes {
    return Indexes.parse(text ?? '', this.completions);
  }

  #indexesOf(filter: (pod: Kept) => boolean): Indexes {
    const found = this.pods.filter((pod) => pod.summary.isTracked && this.hasIndex(pod) && filter(pod));
    return Indexes.of(found.map(({summary}) => summary.index));
  }

  #replaced(): Map<number, Kept> {
    const last = new Map<number, Kept>();
    if (!this.failedIndexes) return last;
    const isLive = new Set(this.active.map(({summary}) => summary.index));
    const failures = ({summary}: Kept) => summary.failureCount + summary.ignoredCount;
    for (const pod of this.#countable(new Set())) {
      const {index, finishedAt} = pod.summary;
      const isOver = this.succeededIndexes.has(index) || this.failedIndexes.has(index) || isLive.has(index);
      if (isOver || !hasFailed(pod, this.job, this.parts.features)) continue;
      const before = last.get(index);
      if (!before || (failures(before) <= failures(pod) && finishedAt >= before.summary.finishedAt)) last.set(index, pod);
    }
    return last;
  }
}
