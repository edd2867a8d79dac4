import {sameValue} from '../../../sdk/validation/index.js';
import type {Deployment, DeploymentStatus, ReplicaSet} from '../../../sdk/types/unchecked/apps/v1.js';
import {conditionOf, newCondition, progress, removeCondition, setCondition} from './conditions.js';
import {maxUnavailable, progressDeadline, wantedReplicas} from './deployment-object.js';
import type {DeploymentSets, DeploymentWrites} from './deployment-writes.js';
import {allSets, sumOfWanted} from './find-sets.js';

type Counted = 'replicas' | 'readyReplicas' | 'availableReplicas';

export function sumOfStatus(sets: readonly ReplicaSet[], member: Counted): number {
  return sets.reduce((sum, {status}) => sum + (status?.[member] ?? 0), 0);
}

/** Whether all wanted pods are of the present template and available, and no others are left. */
export function isComplete(deployment: Deployment, status: DeploymentStatus | undefined): boolean {
  const wanted = wantedReplicas(deployment);
  const {updatedReplicas = 0, replicas = 0, availableReplicas = 0, observedGeneration = 0} = status ?? {};
  const {generation = 0} = deployment.metadata;
  return updatedReplicas === wanted && replicas === wanted && availableReplicas === wanted && observedGeneration >= generation;
}

/** Writes the status of a Deployment that is not rolled out now: paused, scaled or deleted. */
export async function saveCounts(writes: DeploymentWrites, sets: DeploymentSets): Promise<void> {
  await save(writes, counted(writes, sets));
}

/**
 * Writes the status with how the rollout goes on.
 *
 * @returns after how many milliseconds it must be looked at again though nothing has changed; undefined for never
 */
export async function saveProgress(writes: DeploymentWrites, sets: DeploymentSets): Promise<number | undefined> {
  const {deployment} = writes;
  const status = counted(writes, sets);
  const deadline = progressDeadline(deployment);
  const before = conditionOf(deployment.status, 'Progressing');
  if (deadline === undefined) removeCondition(status, 'Progressing');
  const wasComplete = (status.replicas ?? 0) === (status.updatedReplicas ?? 0) && before?.reason === progress.available;
  if (deadline !== undefined && !wasComplete) setProgress(writes, sets, status, deadline);
  const failure = failureOf(sets);
  if (failure) setCondition(status, failure);
  else removeCondition(status, 'ReplicaFailure');
  const isSame = !(await save(writes, status));
  return isSame ? millisUntilStuck(writes, status, deadline) : undefined;
}

function setProgress(writes: DeploymentWrites, {current}: DeploymentSets, status: DeploymentStatus, deadline: number): void {
  const {deployment, now} = writes;
  const before = conditionOf(deployment.status, 'Progressing');
  const subject = current ? `ReplicaSet "${current.metadata.name}"` : `Deployment "${deployment.metadata.name}"`;
  if (isComplete(deployment, status)) {
    setCondition(status, newCondition('Progressing', 'True', progress.available, `${subject} has successfully progressed.`, now));
  } else if (hasProgressed(deployment.status ?? {}, status)) {
    const condition = newCondition('Progressing', 'True', progress.updated, `${subject} is progressing.`, now);
    // The time of the last progress is renewed even if nothing else is.
    removeCondition(status, 'Progressing');
    const {lastTransitionTime} = before?.status === 'True' ? before : condition;
    setCondition(status, {...condition, ...(lastTransitionTime ? {lastTransitionTime} : {})});
  } else if (hasTimedOut(status, deadline, now)) {
    setCondition(status, newCondition('Progressing', 'False', progress.timedOut, `${subject} has timed out progressing.`, now));
  }
}

function hasProgressed(before: DeploymentStatus, status: DeploymentStatus): boolean {
  const old = ({replicas = 0, updatedReplicas = 0}: DeploymentStatus) => replicas - updatedReplicas;
  const grows = (member: 'updatedReplicas' | 'readyReplicas' | 'availableReplicas') => (status[member] ?? 0) > (before[member] ?? 0);
  return grows('updatedReplicas') || old(status) < old(before) || grows('readyReplicas') || grows('availableReplicas');
}

function hasTimedOut(status: DeploymentStatus, deadline: number, now: number): boolean {
  const condition = conditionOf(status, 'Progressing');
  if (!condition || condition.reason === progress.available) return false;
  if (condition.reason === progress.timedOut) return true;
  return Date.parse(condition.lastUpdateTime ?? '') + deadline * 1000 < now;
}

/** When a rollout without progress will have failed. */
function millisUntilStuck({deployment, now}: DeploymentWrites, status: DeploymentStatus, deadline: number | undefined): number | undefined {
  const condition = conditionOf(deployment.status, 'Progressing');
  if (deadline === undefined || !condition || isComplete(deployment, status) || condition.reason === progress.timedOut) return undefined;
  const millis = Date.parse(condition.lastUpdateTime ?? '') + deadline * 1000 - now;
  // Times of conditions have whole seconds.
  return millis < 1000 ? Math.max(millis, 0) + 5 : millis + 1000;
}

function failureOf(sets: DeploymentSets) {
  const {current} = sets;
  const ofSets = [...(current ? [current] : []), ...allSets(sets)];
  const found = ofSets.flatMap(({status}) => status?.conditions ?? []).find(({type}) => type === 'ReplicaFailure');
  if (!found) return undefined;
  const {type, status, reason, message, lastTransitionTime} = found;
  return {
    type: type!,
    status: status!,
    ...(lastTransitionTime ? {lastUpdateTime: lastTransitionTime, lastTransitionTime} : {}),
    ...(reason === undefined ? {} : {reason}),
    ...(message === undefined ? {} : {message}),
  };
}

function counted({deployment, parts, now}: DeploymentWrites, sets: DeploymentSets): DeploymentStatus {
  const all = allSets(sets);
  const available = sumOfStatus(all, 'availableReplicas');
  const {collisionCount, conditions = []} = deployment.status ?? {};
  const counts = {
    observedGeneration: deployment.metadata.generation ?? 0,
    replicas: sumOfStatus(all, 'replicas'),
    updatedReplicas: sets.current?.status?.replicas ?? 0,
    readyReplicas: sumOfStatus(all, 'readyReplicas'),
    availableReplicas: available,
    unavailableReplicas: Math.max(sumOfWanted(all) - available, 0),
  };
  const terminating = parts.gates.enabled('DeploymentReplicaSetTerminatingReplicas') ? sumOfTerminating(all) : undefined;
  const status: DeploymentStatus = {
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => Number(count) > 0)),
    ...(terminating === undefined ? {} : {terminatingReplicas: terminating}),
    ...(collisionCount === undefined ? {} : {collisionCount}),
    ...(conditions.length > 0 ? {conditions: [...conditions]} : {}),
  };
  setCondition(
    status,
    available >= wantedReplicas(deployment) - maxUnavailable(deployment)
      ? newCondition('Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.', now)
      : newCondition('Available', 'False', 'MinimumReplicasUnavailable', 'Deployment does not have minimum availability.', now),
  );
  return status;
}

/** Undefined while a set that has been looked at does not say how many of its pods are terminating. */
function sumOfTerminating(sets: readonly ReplicaSet[]): number | undefined {
  let sum = 0;
  for (const {status} of sets) {
    if (status?.terminatingReplicas !== undefined) sum += status.terminatingReplicas;
    else if (Number(status?.observedGeneration ?? 0) !== 0) return undefined;
  }
  return sum;
}

/** Answers whether there was anything to write. */
async function save(writes: DeploymentWrites, status: DeploymentStatus): Promise<boolean> {
  const {deployment} = writes;
  if (sameValue(status, deployment.status ?? {})) return false;
  deployment.status = status;
  await writes.saveStatus();
  return true;
}
