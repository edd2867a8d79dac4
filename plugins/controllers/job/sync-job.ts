import {secondTime} from '../../../sdk/index.js';
import {completionsOf, isSuspended, jobCondition, newJobCondition, setJobCondition} from './job-object.js';
import type {JobRound} from './job-round.js';
import {countPods} from './count-pods.js';
import {deleteActive, managePods, type Managed} from './manage-pods.js';
import {failureOf, hasFailed, successOf} from './policies.js';

/**
 * Brings a Job a step closer to its end.
 *
 * @param areMet whether the cache shows everything that was done before
 * @throws the first failure, after the status has been written
 */
export async function syncJob(round: JobRound, areMet: boolean): Promise<void> {
  const {job, status, now} = round;
  if (!status.startTime && !isSuspended(job)) status.startTime = secondTime(now);
  round.ending = endingOf(round);
  let managed: Managed = {active: round.active.length};
  let isChanged = false;
  if (round.ending) {
    managed = await end(round, areMet);
  } else {
    const isManaged = areMet && !job.metadata.deletionTimestamp;
    if (isManaged) managed = await managePods(round);
    if (isComplete(round, managed.active)) round.ending = success(round);
    else if (isManaged) isChanged = noteSuspension(round);
  }
  isChanged = setCounts(round, managed.active) || isChanged;
  await countPods(round, isChanged);
  if (managed.error !== undefined) throw managed.error as Error;
}

/** All active pods are deleted; the Job ends once that has happened. */
async function end(round: JobRound, areMet: boolean): Promise<Managed> {
  const before = round.active.length;
  const {active: deleted, error} = await deleteActive(round);
  if (deleted !== before || !areMet) {
    round.ending = undefined;
    round.lookAgainIn(1000);
  }
  if (round.terminating !== undefined) round.terminating += deleted;
  return {active: before - deleted, ...(error === undefined ? {} : {error})};
}

/** Why a Job ends now; undefined if it goes on. */
function endingOf(round: JobRound) {
  const {job, status, pods, parts, now, failedIndexes, succeededIndexes, completions} = round;
  const {features} = parts;
  const {spec} = job;
  const fail = (reason: string, message: string) =>
    newJobCondition(features.delaysEnd ? 'FailureTarget' : 'Failed', 'True', reason, message, now);
  if (features.successPolicy || features.delaysEnd) {
    const met = jobCondition(status, 'SuccessCriteriaMet');
    if (met?.status === 'True') return met;
  }
  const target = jobCondition(status, 'FailureTarget');
  if (target?.status === 'True') return newJobCondition('Failed', 'True', target.reason ?? '', target.message ?? '', now);
  if (spec?.podFailurePolicy) {
    const failed = pods.filter((pod) => hasFailed(pod, job, features));
    const message = failed.map((pod) => failureOf(spec.podFailurePolicy, pod, features).message).find((text) => text !== undefined);
    if (message !== undefined) return newJobCondition('FailureTarget', 'True', 'PodFailurePolicy', message, now);
  }
  if (round.failed > (spec?.backoffLimit ?? 6) || restartsTooOften(round))
    return fail('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
  if (isOverdue(round)) return fail('DeadlineExceeded', 'Job was active longer than specified deadline');
  if (failedIndexes) {
    if (failedIndexes.size > (spec?.maxFailedIndexes ?? Infinity))
      return fail('MaxFailedIndexesExceeded', 'Job has exceeded the specified maximal number of failed indexes');
    if (failedIndexes.size > 0 && failedIndexes.size + succeededIndexes.size >= completions)
      return fail('FailedIndexes', 'Job has failed indexes');
  }
  const why = round.isIndexed ? successOf(job, succeededIndexes, features) : undefined;
  return why === undefined ? undefined : newJobCondition('SuccessCriteriaMet', 'True', 'SuccessPolicy', why, now);
}

/** Pods that restart their containers do not fail: their restarts count. */
function restartsTooOften({job, pods}: JobRound): boolean {
  const {template, backoffLimit = 6} = job.spec ?? {};
  if (template?.spec?.restartPolicy !== 'OnFailure') return false;
  const running = pods.filter(({summary}) => summary.status === 'Running' || summary.status === 'Pending');
  const restarts = running.reduce((sum, {summary}) => sum + summary.allRestarts, 0);
  return backoffLimit === 0 ? restarts > 0 : restarts >= backoffLimit;
}

/** Looks again when the time of a Job will be over. */
function isOverdue(round: JobRound): boolean {
  const {job, status, now} = round;
  const seconds = job.spec?.activeDeadlineSeconds;
  if (seconds === undefined || !status.startTime || isSuspended(job)) return false;
  const left = Date.parse(status.startTime) + Number(seconds) * 1000 - now;
  if (left > 0) round.lookAgainIn(left);
  return left <= 0;
}

function isComplete({job, succeeded}: JobRound, active: number): boolean {
  const completions = completionsOf(job);
  return active === 0 && (completions === undefined ? succeeded > 0 : succeeded >= completions);
}

function success({parts: {features}, now}: JobRound) {
  const [reason, message] = features.successPolicy ? ['CompletionsReached', 'Reached expected number of succeeded pods'] : ['', ''];
  return newJobCondition(features.delaysEnd ? 'SuccessCriteriaMet' : 'Complete', 'True', reason!, message!, now);
}

function noteSuspension(round: JobRound): boolean {
  const {job, status, now, parts} = round;
  if (isSuspended(job)) {
    if (!setJobCondition(status, newJobCondition('Suspended', 'True', 'JobSuspended', 'Job suspended', now))) return false;
    round.event('Normal', 'Suspended', 'Job suspended');
    if (parts.features.mutableDirectives) delete status.startTime;
    return true;
  }
  if (!setJobCondition(status, newJobCondition('Suspended', 'False', 'JobResumed', 'Job resumed', now))) return false;
  round.event('Normal', 'Resumed', 'Job resumed');
  status.startTime = secondTime(now);
  return true;
}

function setCounts({status, ready, terminating, parts}: JobRound, active: number): boolean {
  const shown = parts.features.replacementPolicy ? terminating : undefined;
  const isSame = active === (status.active ?? 0) && ready === status.ready && shown === status.terminating;
  if (active === 0) delete status.active;
  else status.active = active;
  status.ready = ready;
  if (shown === undefined) delete status.terminating;
  else status.terminating = shown;
  return !isSame;
}
