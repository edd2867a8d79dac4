import {isNamespaceTerminating, isNotFound} from '../../../sdk/index.js';
import type {Pod, PodTemplateSpec} from '../../../sdk/types/unchecked/core/v1.js';
import {inDeletionOrder} from '../../families/replicas/deletion-order.js';
import {podOfTemplate} from '../../families/workload-pods/pod-control.js';
import {slowStart} from '../../families/workload-pods/slow-start.js';
import {remainingMillis, remainingOfIndex} from './backoff.js';
import {Indexes} from './indexes.js';
import {completionsOf, isSuspended, limitPerIndex, replacesOnlyFailed} from './job-object.js';
import type {Kept} from './job-pod.js';
import type {JobRound} from './job-round.js';
import {failureOf} from './policies.js';

/** Pods that are created or deleted in one round, as in Kubernetes. */
const burst = 500;
/** Maximum characters of the beginning of a name that the server completes. */
const longestBeginning = 58;

/** How many pods are active afterwards, and the first failure. */
export interface Managed {
  readonly active: number;
  readonly error?: unknown;
}

/** Creates or deletes pods until as many are active as the Job wants. */
export async function managePods(round: JobRound): Promise<Managed> {
  const {job, active} = round;
  if (isSuspended(job)) return removeAll(round, toRemove(round, active.length));
  const wanted = wantedActive(round);
  const surplus = toRemove(round, Math.max(active.length - wanted, 0)).slice(0, burst);
  if (surplus.length > 0) return removeAll(round, surplus);
  const blocked = replacesOnlyFailed(job, round.parts.features) ? (round.terminating ?? 0) : 0;
  const missing = wanted - blocked - active.length;
  return missing > 0 ? add(round, Math.min(missing, burst)) : {active: active.length};
}

/** Deletes all active pods of a Job that has ended. Answers how many are being deleted. */
export async function deleteActive(round: JobRound): Promise<Managed> {
  const {active, parts, owner} = round;
  const results = await Promise.allSettled(active.map((pod) => deleteOne(() => parts.control.delete(pod.name, owner))));
  const failed = results.filter((result) => result.status === 'rejected');
  round.ready -= active.filter(({summary}) => summary.isReady).length;
  const error: unknown = failed[0]?.reason;
  return {active: active.length - failed.length, ...(failed.length === 0 ? {} : {error})};
}

function wantedActive({job, active, succeeded}: JobRound): number {
  const parallelism = job.spec?.parallelism ?? 1;
  const completions = completionsOf(job);
  if (completions === undefined) return succeeded > 0 ? active.length : parallelism;
  return Math.max(Math.min(completions - succeeded, parallelism), 0);
}

/** Pods without a place, and as many others as there must be fewer, those first that have come least far. */
function toRemove(round: JobRound, least: number): Kept[] {
  const order = {onNode: new Map<string, number>(), hasCosts: false, isLogarithmic: false, now: round.now};
  const sorted = inDeletionOrder(round.active, order) as Kept[];
  if (!round.isIndexed) return sorted.slice(0, least);
  // Of each index the one stays that has come furthest.
  const last = new Map(sorted.filter((pod) => round.hasIndex(pod)).map((pod) => [pod.summary.index, pod]));
  const doubled = sorted.filter((pod) => last.get(pod.summary.index) !== pod);
  const others = sorted.filter((pod) => last.get(pod.summary.index) === pod);
  return [...doubled, ...others.slice(0, Math.max(least - doubled.length, 0))];
}

async function removeAll(round: JobRound, pods: readonly Kept[]): Promise<Managed> {
  const {parts, key, owner, active} = round;
  parts.expectations.expectDeletions(
    key,
    pods.map(({uid}) => uid),
  );
  const results = await Promise.allSettled(
    pods.map(async (pod) => {
      try {
        await deleteOne(async () => {
          if (pod.summary.isTracked) await round.untrack(pod);
          await parts.control.delete(pod.name, owner);
        });
      } catch (error) {
        parts.expectations.deleted(key, pod.uid);
        throw error;
      }
    }),
  );
  const failed = results.filter((result) => result.status === 'rejected');
  const removed = pods.length - failed.length;
  if (round.terminating !== undefined) round.terminating += removed;
  round.ready -= pods.filter(({summary}) => summary.isReady).length;
  const error: unknown = failed[0]?.reason;
  return {active: active.length - removed, ...(failed.length === 0 ? {} : {error})};
}

async function deleteOne(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

async function add(round: JobRound, missing: number): Promise<Managed> {
  const {job, parts, key, active, owner, now} = round;
  const hasLimit = limitPerIndex(job, parts.features) !== undefined;
  const pause = hasLimit ? 0 : remainingMillis(round.failures, now);
  if (pause > 0) return later(round, pause);
  let indexes: readonly (number | undefined)[] = Array.from({length: missing}, () => undefined);
  if (round.isIndexed) {
    const free = freeIndexes(round, missing);
    const due = free.filter((index) => remainingOfIndex(round.replaced.get(index), now) === 0);
    if (free.length > 0 && due.length === 0)
      return later(round, Math.min(...free.map((index) => remainingOfIndex(round.replaced.get(index), now))));
    indexes = due;
  }
  parts.expectations.expectCreations(key, indexes.length);
  const {succeeded, error} = await slowStart(indexes.length, async (position) => {
    try {
      await parts.control.create(newPod(round, indexes[position], hasLimit), owner);
    } catch (failure) {
      if (!isNamespaceTerminating(failure)) throw failure;
    }
  });
  parts.expectations.created(key, indexes.length - succeeded);
  return {active: active.length + succeeded, ...(error === undefined ? {} : {error})};
}

/** Kubernetes reports none as active while it waits. */
function later(round: JobRound, millis: number): Managed {
  round.lookAgainIn(millis);
  return {active: 0};
}

function freeIndexes(round: JobRound, count: number): number[] {
  const {job, active, pods, succeededIndexes, failedIndexes, parts, completions} = round;
  const indexesOf = (of: readonly Kept[]) => Indexes.of(of.map(({summary}) => summary.index).filter((index) => index >= 0));
  let taken = succeededIndexes.with(indexesOf(active));
  if (replacesOnlyFailed(job, parts.features)) taken = taken.with(indexesOf(pods.filter(({summary}) => summary.isTerminating)));
  if (failedIndexes) taken = taken.with(failedIndexes);
  return taken.missing(count, completions);
}

function newPod(round: JobRound, index: number | undefined, hasLimit: boolean): Pod {
  const {job, parts, owner} = round;
  const {keys} = parts;
  const template: PodTemplateSpec = structuredClone(job.spec?.template ?? {});
  const metadata = {...template.metadata};
  const finalizers = metadata.finalizers ?? [];
  metadata.finalizers = finalizers.includes(keys.finalizer) ? finalizers : [...finalizers, keys.finalizer];
  if (index === undefined) return podOfTemplate({...template, metadata}, owner);
  const text = String(index);
  metadata.labels = {...metadata.labels, [keys.index]: text};
  metadata.annotations = {...metadata.annotations, [keys.index]: text, ...(hasLimit ? failureCounts(round, index) : {})};
  for (const container of [...(template.spec?.initContainers ?? []), ...(template.spec?.containers ?? [])]) {
    const env = container.env ?? [];
    if (env.some(({name}) => name === 'JOB_COMPLETION_INDEX')) continue;
    container.env = [...env, {name: 'JOB_COMPLETION_INDEX', valueFrom: {fieldRef: {fieldPath: `metadata.labels['${keys.index}']`}}}];
  }
  template.spec = {...template.spec, hostname: `${job.metadata.name}-${text}`};
  const pod = podOfTemplate({...template, metadata}, owner);
  const end = `-${text}-`;
  pod.metadata.generateName = `${job.metadata.name!.slice(0, longestBeginning - end.length)}${end}`;
  return pod;
}

function failureCounts({job, parts, replaced}: JobRound, index: number): Record<string, string> {
  const {keys, features} = parts;
  const before = replaced.get(index);
  if (!before) return {[keys.failureCount]: '0'};
  const {counts} = failureOf(job.spec?.podFailurePolicy, before, features);
  const failures = before.summary.failureCount + (counts ? 1 : 0);
  const ignored = before.summary.ignoredCount + (counts ? 0 : 1);
  return {[keys.failureCount]: String(failures), ...(ignored > 0 ? {[keys.ignoredCount]: String(ignored)} : {})};
}
