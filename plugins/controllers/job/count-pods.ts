import {isNotFound, secondTime} from '../../../sdk/index.js';
import {jobCondition, limitPerIndex, newJobCondition, setJobCondition} from './job-object.js';
import type {Kept} from './job-pod.js';
import type {JobRound} from './job-round.js';
import {failureOf, hasFailed} from './policies.js';

/** Pods that may wait in the status at the same time, as in Kubernetes. */
const mostUncounted = 500;

/**
 * Counts pods that have ended, each exactly once: it is noted in the status, then loses its finalizer, then is added to the counters. Marks the Job as finished when nothing is left to count.
 *
 * @param mustSave whether the status has other changes
 * @throws the first failure
 */
export async function countPods(round: JobRound, mustSave: boolean): Promise<void> {
  const tracked = new Set(round.pods.filter((pod) => round.isTracked(pod)).map(({uid}) => uid));
  let isChanged = settleCounted(round, tracked) || mustSave;
  const {removable, isFull, isNoted} = note(round);
  isChanged = noteIndexes(round) || isNoted || isChanged;
  isChanged = noteEnding(round) || isChanged;
  if (isChanged) {
    await round.saveStatus();
    round.parts.failures.set(round.key, round.failures);
  }
  const error = await untrackAll(round, removable, tracked);
  isChanged = settleCounted(round, tracked);
  if (error !== undefined) {
    if (isChanged) await round.saveStatus();
    throw error as Error;
  }
  const isFinished = !isFull && finish(round);
  if (!isChanged && !isFinished) return;
  await round.saveStatus();
  if (!isFinished) return;
  announce(round);
  round.parts.finished.add(round.job.metadata.uid!);
}

/** Adds the pods that have lost their finalizer to the counters. */
function settleCounted({status}: JobRound, tracked: ReadonlySet<string>): boolean {
  const waiting = (status.uncountedTerminatedPods ??= {});
  let isChanged = false;
  for (const member of ['succeeded', 'failed'] as const) {
    const before = waiting[member] ?? [];
    const left = before.filter((uid) => tracked.has(uid));
    if (left.length === before.length) continue;
    status[member] = (status[member] ?? 0) + before.length - left.length;
    if (left.length > 0) waiting[member] = left;
    else delete waiting[member];
    isChanged = true;
  }
  return isChanged;
}

/** Notes pods that have ended in the status, and answers those whose finalizer may go. */
function note(round: JobRound): {removable: Kept[]; isFull: boolean; isNoted: boolean} {
  const {job, status, parts, isIndexed} = round;
  const waiting = (status.uncountedTerminatedPods ??= {});
  const alreadyFailed = new Set(waiting.failed);
  const alreadySucceeded = new Set(waiting.succeeded);
  const pods = isIndexed ? round.pods.toSorted((one, other) => one.summary.index - other.summary.index) : round.pods;
  const endsInFailure = round.ending !== undefined && round.ending.type !== 'SuccessCriteriaMet';
  const removable: Kept[] = [];
  let newIndexes = 0;
  let isNoted = false;
  for (const pod of pods) {
    const isFailed = hasFailed(pod, job, parts.features);
    if (!round.isTracked(pod) || !mayUntrack(round, pod, isFailed)) continue;
    removable.push(pod);
    if (pod.summary.status === 'Succeeded' && !alreadyFailed.has(pod.uid)) {
      if (isIndexed) newIndexes += round.hasIndex(pod) && !round.succeededBefore.has(pod.summary.index) ? 1 : 0;
      else if (!alreadySucceeded.has(pod.uid)) waiting.succeeded = [...(waiting.succeeded ?? []), pod.uid];
      isNoted = true;
    } else if ((isFailed || endsInFailure) && !alreadyFailed.has(pod.uid) && (!isIndexed || round.hasIndex(pod))) {
      if (!failureOf(job.spec?.podFailurePolicy, pod, parts.features).counts) continue;
      waiting.failed = [...(waiting.failed ?? []), pod.uid];
      isNoted = true;
    }
    const count = newIndexes + (waiting.succeeded?.length ?? 0) + (waiting.failed?.length ?? 0);
    if (count >= mostUncounted) return {removable, isFull: true, isNoted};
  }
  return {removable, isFull: false, isNoted};
}

function mayUntrack({job, ending, replaced, parts}: JobRound, {uid, summary}: Kept, isFailed: boolean): boolean {
  if (job.metadata.deletionTimestamp || ending || summary.status === 'Succeeded') return true;
  if (!isFailed) return false;
  return limitPerIndex(job, parts.features) === undefined || replaced.get(summary.index)?.uid !== uid;
}

function noteIndexes(round: JobRound): boolean {
  const {status, isIndexed, failedIndexes} = round;
  if (!isIndexed) return false;
  const completed = round.succeededIndexes.toString();
  const failed = failedIndexes?.toString();
  const isChanged = completed !== (status.completedIndexes ?? '') || failed !== status.failedIndexes;
  if (round.succeededIndexes.size > 0) status.succeeded = round.succeededIndexes.size;
  if (completed === '') delete status.completedIndexes;
  else status.completedIndexes = completed;
  if (failed === undefined) delete status.failedIndexes;
  else status.failedIndexes = failed;
  return isChanged;
}

/** That the Job is going to end is said before it has: its pods may take their time. */
function noteEnding(round: JobRound): boolean {
  const {ending, status, now} = round;
  if (ending?.type === 'FailureTarget') {
    status.conditions = [...(status.conditions ?? []), ending];
    round.ending = newJobCondition('Failed', 'True', ending.reason ?? '', ending.message ?? '', now);
    return true;
  }
  if (ending?.type !== 'SuccessCriteriaMet') return false;
  const isNew = jobCondition(status, 'SuccessCriteriaMet')?.status !== 'True';
  if (isNew) status.conditions = [...(status.conditions ?? []), ending];
  round.ending = newJobCondition('Complete', 'True', ending.reason ?? '', ending.message ?? '', now);
  return isNew;
}

/** Answers the first failure. */
async function untrackAll(round: JobRound, pods: readonly Kept[], tracked: Set<string>): Promise<unknown> {
  const {untracked} = round.parts;
  for (const {uid} of pods) untracked.add(uid);
  let error: unknown;
  await Promise.all(
    pods.map(async (pod) => {
      try {
        await round.untrack(pod);
        tracked.delete(pod.uid);
      } catch (failure) {
        untracked.delete(pod.uid);
        if (isNotFound(failure)) tracked.delete(pod.uid);
        else error ??= failure;
      }
    }),
  );
  return error;
}

function finish({ending, status, terminating, parts, now}: JobRound): boolean {
  const waiting = status.uncountedTerminatedPods ?? {};
  if (!ending || (waiting.succeeded?.length ?? 0) + (waiting.failed?.length ?? 0) > 0) return false;
  if (parts.features.delaysEnd && (terminating ?? 0) > 0) return false;
  setJobCondition(status, newJobCondition(ending.type!, 'True', ending.reason ?? '', ending.message ?? '', now));
  if (ending.type === 'Complete') status.completionTime = secondTime(now);
  return true;
}

function announce(round: JobRound): void {
  const {ending, job, status} = round;
  if (ending?.type !== 'Complete') return round.event('Warning', ending?.reason ?? '', ending?.message ?? '');
  const completions = job.spec?.completions;
  if (completions !== undefined && (status.succeeded ?? 0) > completions)
    round.event('Warning', 'TooManySucceededPods', 'Too many succeeded pods running after completion count reached');
  round.event('Normal', 'Completed', 'Job completed');
}
