import {ifFound} from '../../../sdk/index.js';
import type {ReplicaSet} from '../../../sdk/types/unchecked/apps/v1.js';
import {historyLimit, isRollingUpdate, maxSurge, replicaSets, wantedReplicas} from './deployment-object.js';
import type {DeploymentSets, DeploymentWrites} from './deployment-writes.js';
import {allSets, sumOfWanted} from './find-sets.js';
import {byAge} from './revisions.js';

export function isActive(set: ReplicaSet): boolean {
  return wantedReplicas(set) > 0;
}

/** Whether a set was last scaled for another size of the Deployment. */
export function isScaled({deployment, parts}: DeploymentWrites, sets: DeploymentSets): boolean {
  return allSets(sets)
    .filter(isActive)
    .some((set) => (parts.annotations.desiredOf(set) ?? wantedReplicas(deployment)) !== wantedReplicas(deployment));
}

/**
 * Scales the sets of a Deployment whose size has changed, or that is paused. In the middle of a rollout the difference is divided among all sets in proportion to their sizes, so
 * that fewer pods are lost if the new ones do not work.
 */
export async function scaleSets(writes: DeploymentWrites, sets: DeploymentSets): Promise<void> {
  const {deployment} = writes;
  const only = activeOrLatest(sets);
  if (only) return void (await writes.scale(only, wantedReplicas(deployment)));
  if (isSaturated(writes, sets.current)) {
    for (const set of sets.old.filter(isActive)) await writes.scale(set, 0);
    return;
  }
  if (isRollingUpdate(deployment)) await scaleInProportion(writes, allSets(sets).filter(isActive));
}

/** The only active set, or the latest if none is active; undefined if several are. */
function activeOrLatest(sets: DeploymentSets): ReplicaSet | undefined {
  const active = allSets(sets).filter(isActive);
  if (active.length > 0) return active.length === 1 ? active[0] : undefined;
  return sets.current ?? sets.old.toSorted(byAge).at(-1);
}

/** Whether the current set is as large as the Deployment wants, was scaled for that and is available. */
function isSaturated({deployment, parts}: DeploymentWrites, current: ReplicaSet | undefined): boolean {
  const wanted = wantedReplicas(deployment);
  return (
    current !== undefined &&
    wantedReplicas(current) === wanted &&
    parts.annotations.desiredOf(current) === wanted &&
    (current.status?.availableReplicas ?? 0) === wanted
  );
}

async function scaleInProportion(writes: DeploymentWrites, active: readonly ReplicaSet[]): Promise<void> {
  const {deployment} = writes;
  const wanted = wantedReplicas(deployment);
  const allowed = wanted > 0 ? wanted + maxSurge(deployment) : 0;
  const toAdd = allowed - sumOfWanted(active);
  const ordered = active.toSorted((one, other) => {
    const bySize = wantedReplicas(other) - wantedReplicas(one);
    return bySize || (toAdd > 0 ? -byAge(one, other) : byAge(one, other));
  });
  let added = 0;
  const sizes = ordered.map((set) => {
    const share = toAdd === 0 ? 0 : shareOf(writes, set, toAdd, added);
    added += share;
    return wantedReplicas(set) + share;
  });
  for (const [index, set] of ordered.entries()) {
    // What rounding has left over goes to the largest.
    const leftOver = index === 0 && toAdd !== 0 ? toAdd - added : 0;
    await writes.scale(set, Math.max(sizes[index]! + leftOver, 0), true);
  }
}

/** How many of the pods that are added or removed come to a set. */
function shareOf({deployment, parts}: DeploymentWrites, set: ReplicaSet, toAdd: number, added: number): number {
  const size = wantedReplicas(set);
  const left = toAdd - added;
  if (size === 0 || left === 0) return 0;
  const wanted = wantedReplicas(deployment);
  let share = -size;
  if (wanted > 0) {
    const mostBefore = parts.annotations.maxOf(set) || (deployment.status?.replicas ?? 0);
    if (mostBefore === 0) return 0;
    share = Math.floor((size * (wanted + maxSurge(deployment))) / mostBefore + 0.5) - size;
  }
  return toAdd > 0 ? Math.min(share, left) : Math.max(share, left);
}

/** Deletes the old sets without pods beyond the limit of the history, those of the lowest revisions first. */
export async function cleanUp({deployment, namespace, parts}: DeploymentWrites, {old}: DeploymentSets): Promise<void> {
  const limit = historyLimit(deployment);
  if (limit === undefined) return;
  const living = old.filter(({metadata}) => !metadata.deletionTimestamp);
  const surplus = living.toSorted((one, other) => parts.annotations.compare(one, other)).slice(0, Math.max(living.length - limit, 0));
  for (const set of surplus) {
    const {metadata, status} = set;
    const isSeen = Number(metadata.generation ?? 0) <= Number(status?.observedGeneration ?? 0);
    if ((status?.replicas ?? 0) === 0 && !isActive(set) && isSeen)
      await ifFound(parts.resources.delete(replicaSets, namespace, metadata.name!));
  }
}
