import type {ReplicaSet} from '../../../sdk/types/unchecked/apps/v1.js';
import {maxUnavailable, wantedReplicas} from './deployment-object.js';
import type {DeploymentSets, DeploymentWrites} from './deployment-writes.js';
import {allSets, newSize, sumOfWanted, syncRevision} from './find-sets.js';
import {byAge} from './revisions.js';
import {isComplete, saveProgress, sumOfStatus} from './rollout-status.js';
import {cleanUp, isActive} from './scaling.js';

/** The next step of a rolling update: new pods as far as there is room, then fewer old ones as far as enough are available. */
export async function rollOver(writes: DeploymentWrites, all: readonly ReplicaSet[]): Promise<number | undefined> {
  const sets = await syncRevision(writes, all, true);
  const grown = await grow(writes, sets);
  if (grown.isScaled) return saveProgress(writes, grown.sets);
  const shrunk = await shrink(writes, grown.sets);
  if (!shrunk.isScaled && isComplete(writes.deployment, writes.deployment.status)) await cleanUp(writes, shrunk.sets);
  return saveProgress(writes, shrunk.sets);
}

/** The next step of an update that has all old pods gone before the first new one comes. @param hasPods whether pods of old sets are left */
export async function recreate(
  writes: DeploymentWrites,
  all: readonly ReplicaSet[],
  hasPods: (sets: readonly ReplicaSet[]) => boolean,
): Promise<number | undefined> {
  let sets = await syncRevision(writes, all, false);
  const stopped: ReplicaSet[] = [];
  let isScaled = false;
  for (const set of sets.old) {
    const result = isActive(set) ? await writes.scale(set, 0) : {set, isScaled: false};
    stopped.push(result.set);
    isScaled ||= result.isScaled;
  }
  sets = {...sets, old: stopped};
  if (isScaled || sumOfStatus(sets.old, 'replicas') > 0 || hasPods(sets.old)) return saveProgress(writes, sets);
  if (!sets.current) sets = await syncRevision(writes, stopped, true);
  const {set: current} = await writes.scale(sets.current!, wantedReplicas(writes.deployment));
  sets = {...sets, current};
  if (isComplete(writes.deployment, writes.deployment.status)) await cleanUp(writes, sets);
  return saveProgress(writes, sets);
}

interface Step {
  readonly sets: DeploymentSets;
  readonly isScaled: boolean;
}

async function grow(writes: DeploymentWrites, sets: DeploymentSets): Promise<Step> {
  const wanted = wantedReplicas(writes.deployment);
  const size = wantedReplicas(sets.current!);
  if (size === wanted) return {sets, isScaled: false};
  const {set, isScaled} = await writes.scale(sets.current!, size > wanted ? wanted : newSize(writes.deployment, sets.old, size));
  return {sets: {...sets, current: set}, isScaled};
}

/**
 * Scales old sets down: first pods that are not available, which nobody misses, then as many others as the available pods of all sets exceed what must be there. A failure ends
 * this round only: the next one goes by what has been reached.
 */
async function shrink(writes: DeploymentWrites, sets: DeploymentSets): Promise<Step> {
  const {deployment} = writes;
  const active = sets.old.filter(isActive).toSorted(byAge);
  const current = sets.current!;
  const mustBeThere = wantedReplicas(deployment) - maxUnavailable(deployment);
  const notYet = wantedReplicas(current) - (current.status?.availableReplicas ?? 0);
  const most = sumOfWanted(allSets(sets)) - mustBeThere - notYet;
  if (active.length === 0 || most <= 0) return {sets, isScaled: false};
  const scaled = new Map<ReplicaSet, ReplicaSet>();
  try {
    let unhealthy = 0;
    for (const set of active) {
      if (unhealthy >= most) break;
      const count = Math.min(most - unhealthy, wantedReplicas(set) - (set.status?.availableReplicas ?? 0));
      if (count <= 0) continue;
      scaled.set(set, (await writes.scale(set, wantedReplicas(set) - count)).set);
      unhealthy += count;
    }
    const healthy = await shrinkAvailable(writes, current, active, scaled, mustBeThere);
    const old = sets.old.map((set) => scaled.get(set) ?? set);
    return {sets: {...sets, old}, isScaled: unhealthy + healthy > 0};
  } catch {
    return {sets, isScaled: false};
  }
}

async function shrinkAvailable(
  writes: DeploymentWrites,
  current: ReplicaSet,
  active: readonly ReplicaSet[],
  scaled: Map<ReplicaSet, ReplicaSet>,
  mustBeThere: number,
): Promise<number> {
  const now = active.map((set) => scaled.get(set) ?? set);
  const surplus = sumOfStatus([...now, current], 'availableReplicas') - mustBeThere;
  let removed = 0;
  for (const [index, set] of now.entries()) {
    if (removed >= surplus) break;
    const size = wantedReplicas(set);
    if (size === 0) continue;
    const count = Math.min(size, surplus - removed);
    scaled.set(active[index]!, (await writes.scale(set, size - count)).set);
    removed += count;
  }
  return removed;
}
