import {isEmptySelector} from '../../../sdk/labels/index.js';
import type {ReplicaSet} from '../../../sdk/types/unchecked/apps/v1.js';
import {conditionOf, newCondition, progress, setCondition} from './conditions.js';
import {isRollingUpdate, progressDeadline} from './deployment-object.js';
import type {DeploymentWrites} from './deployment-writes.js';
import {syncRevision} from './find-sets.js';
import {rollBack, wantedRollback} from './rollback.js';
import {recreate, rollOver} from './rollout.js';
import {saveCounts} from './rollout-status.js';
import {cleanUp, isScaled, scaleSets} from './scaling.js';

/**
 * Brings a Deployment a step closer to what it should be.
 *
 * @param sets those that it controls
 * @param hasPods whether sets have pods that have not finished
 * @returns after how many milliseconds it must be looked at again though nothing has changed; undefined for never
 */
export async function syncDeployment(
  writes: DeploymentWrites,
  sets: readonly ReplicaSet[],
  hasPods: (sets: readonly ReplicaSet[]) => boolean,
): Promise<number | undefined> {
  const {deployment} = writes;
  if (deployment.metadata.deletionTimestamp) return keepStatus(writes, sets);
  await notePause(writes);
  if (deployment.spec?.paused === true) return scale(writes, sets);
  const revision = wantedRollback(writes);
  if (revision !== undefined) {
    await rollBack(writes, sets, revision);
    return undefined;
  }
  const found = await syncRevision(writes, sets, false);
  if (isScaled(writes, found)) return scale(writes, sets);
  return isRollingUpdate(deployment) ? rollOver(writes, sets) : recreate(writes, sets, hasPods);
}

/** Whether a Deployment would take all pods: then it gets none. */
export function selectsAll({deployment}: DeploymentWrites): boolean {
  return isEmptySelector(deployment.spec?.selector);
}

/** Says so, and that it has been looked at. */
export async function refuseAll(writes: DeploymentWrites): Promise<void> {
  const {deployment} = writes;
  writes.event('Warning', 'SelectingAll', 'This deployment is selecting all pods. A non-empty selector is required.');
  const {generation = 0} = deployment.metadata;
  if (Number(deployment.status?.observedGeneration ?? 0) >= generation) return;
  deployment.status = {...deployment.status, observedGeneration: generation};
  await writes.saveStatus();
}

async function keepStatus(writes: DeploymentWrites, sets: readonly ReplicaSet[]): Promise<undefined> {
  await saveCounts(writes, await syncRevision(writes, sets, false));
}

/** A Deployment that is paused, or whose size has changed, is scaled and not rolled out. */
async function scale(writes: DeploymentWrites, sets: readonly ReplicaSet[]): Promise<undefined> {
  const found = await syncRevision(writes, sets, false);
  await scaleSets(writes, found);
  if (writes.deployment.spec?.paused === true && wantedRollback(writes) === undefined) await cleanUp(writes, found);
  await saveCounts(writes, found);
}

/** While it is paused nothing progresses, and the time for that does not run. */
async function notePause(writes: DeploymentWrites): Promise<void> {
  const {deployment} = writes;
  if (progressDeadline(deployment) === undefined) return;
  const reason = conditionOf(deployment.status, 'Progressing')?.reason;
  if (reason === progress.timedOut) return;
  const isPaused = deployment.spec?.paused === true;
  if (isPaused === (reason === progress.paused)) return;
  const [why, message] = isPaused ? [progress.paused, 'Deployment is paused'] : [progress.resumed, 'Deployment is resumed'];
  setCondition((deployment.status ??= {}), newCondition('Progressing', 'Unknown', why, message, writes.now));
  await writes.saveStatus();
}
