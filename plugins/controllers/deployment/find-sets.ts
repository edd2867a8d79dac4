import {isNamespaceTerminating, isAlreadyExists, type ApiObject} from '../../../sdk/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {Deployment, ReplicaSet} from '../../../sdk/types/unchecked/apps/v1.js';
import {controllerOf, controllerReference} from '../../families/workload-pods/controller-reference.js';
import {templateHash} from '../../families/workload-pods/template-hash.js';
import {conditionOf, newCondition, progress, setCondition} from './conditions.js';
import {
  appsVersion,
  deploymentKind,
  isRollingUpdate,
  maxSurge,
  progressDeadline,
  replicaSetKind,
  replicaSets,
  wantedReplicas,
} from './deployment-object.js';
import type {DeploymentSets, DeploymentWrites} from './deployment-writes.js';
import {hashLabel, sameTemplate} from './pod-template.js';
import {byAge} from './revisions.js';

/** Maximum characters of a name. */
const longestName = 253;

/** The ReplicaSet of the present template (the oldest, if there are several) and the others. */
export function sortSets(deployment: Deployment, sets: readonly ReplicaSet[]): DeploymentSets {
  const sorted = sets.toSorted(byAge);
  const current = sorted.find((set) => sameTemplate(set.spec?.template, deployment.spec?.template));
  return {current, old: sorted.filter((set) => set !== current)};
}

export function allSets({current, old}: DeploymentSets): ReplicaSet[] {
  return current ? [...old, current] : [...old];
}

/** How many pods sets ask for. */
export function sumOfWanted(sets: readonly ReplicaSet[]): number {
  return sets.reduce((sum, set) => sum + wantedReplicas(set), 0);
}

/**
 * A Deployment's sets, with the revision and the annotations of the current one put right.
 *
 * @param create whether the current one is made if it is missing
 * @throws StatusError; a name that is taken by another set counts as a collision, after which the next one is tried
 */
export async function syncRevision(writes: DeploymentWrites, sets: readonly ReplicaSet[], create: boolean): Promise<DeploymentSets> {
  const found = sortSets(writes.deployment, sets);
  const revision = writes.parts.annotations.highest(found.old) + 1n;
  if (found.current) return {...found, current: await update(writes, found.current, revision)};
  return create ? {...found, current: await make(writes, found.old, revision)} : found;
}

async function update(writes: DeploymentWrites, current: ReplicaSet, revision: bigint): Promise<ReplicaSet> {
  const {deployment, parts} = writes;
  const {annotations} = parts;
  const changed = structuredClone(current);
  const {minReadySeconds = 0} = deployment.spec ?? {};
  const isChanged = annotations.setOn(changed, deployment, revision, true);
  if (isChanged || (changed.spec?.minReadySeconds ?? 0) !== minReadySeconds) {
    changed.spec = {...changed.spec, minReadySeconds};
    return writes.saveSet(changed);
  }
  let mustSave = setRevision(writes, changed.metadata.annotations?.[annotations.revision] ?? '');
  if (progressDeadline(deployment) !== undefined && !conditionOf(deployment.status, 'Progressing')) {
    const message = `Found new replica set "${current.metadata.name}"`;
    setCondition((deployment.status ??= {}), newCondition('Progressing', 'True', progress.found, message, writes.now));
    mustSave = true;
  }
  if (mustSave) await writes.saveStatus();
  return changed;
}

async function make(writes: DeploymentWrites, old: readonly ReplicaSet[], revision: bigint): Promise<ReplicaSet> {
  const {deployment, parts} = writes;
  const wanted = newSet(deployment, old);
  parts.annotations.setOn(wanted, deployment, revision, false);
  const hasDeadline = progressDeadline(deployment) !== undefined;
  const size = wantedReplicas(wanted);
  let made: ReplicaSet | undefined;
  try {
    made = (await parts.resources.create(replicaSets, writes.namespace, wanted as ApiObject)) as ReplicaSet;
  } catch (error) {
    if (isAlreadyExists(error)) return existing(writes, wanted, revision, error);
    if (isNamespaceTerminating(error)) throw error;
    const message = `Failed to create new replica set "${wanted.metadata.name}": ${(error as Error).message}`;
    if (hasDeadline) {
      setCondition((deployment.status ??= {}), newCondition('Progressing', 'False', progress.createFailed, message, writes.now));
      await writes.saveStatus().catch(() => undefined);
    }
    writes.event('Warning', progress.createFailed, message);
    throw error;
  }
  if (size > 0) writes.event('Normal', 'ScalingReplicaSet', `Scaled up replica set ${made.metadata.name} from 0 to ${size}`);
  let mustSave = setRevision(writes, String(revision));
  if (hasDeadline) {
    const message = `Created new replica set "${made.metadata.name}"`;
    setCondition((deployment.status ??= {}), newCondition('Progressing', 'True', progress.created, message, writes.now));
    mustSave = true;
  }
  if (mustSave) await writes.saveStatus();
  return made;
}

/** The set that has the name: our own, made before, or another one, with which the name collides. */
async function existing(writes: DeploymentWrites, {metadata}: ReplicaSet, revision: bigint, error: unknown): Promise<ReplicaSet> {
  const {deployment, parts} = writes;
  const found = (await parts.resources.get(replicaSets, writes.namespace, metadata.name!)) as ReplicaSet;
  if (controllerOf(found)?.uid === deployment.metadata.uid && sameTemplate(found.spec?.template, deployment.spec?.template)) {
    if (setRevision(writes, String(revision))) await writes.saveStatus();
    return found;
  }
  const status = (deployment.status ??= {});
  status.collisionCount = (status.collisionCount ?? 0) + 1;
  await writes.saveStatus().catch(() => undefined);
  throw error;
}

function newSet(deployment: Deployment, old: readonly ReplicaSet[]): ReplicaSet {
  const {template, selector, minReadySeconds = 0} = deployment.spec ?? {};
  const {name = '', namespace} = deployment.metadata;
  const hash = templateHash(template ?? {}, deployment.status?.collisionCount ?? undefined);
  const labels = {...template?.metadata?.labels, [hashLabel]: hash};
  return {
    apiVersion: appsVersion,
    kind: replicaSetKind,
    metadata: {
      name: `${name.slice(0, longestName - 1 - hash.length)}-${hash}`,
      namespace: namespace!,
      labels,
      ownerReferences: [controllerReference(deployment as ApiObject, appsVersion, deploymentKind)],
    },
    spec: {
      replicas: newSize(deployment, old, 0),
      minReadySeconds,
      selector: {...selector, matchLabels: {...selector?.matchLabels, [hashLabel]: hash}},
      template: {...template, metadata: {...template?.metadata, labels}},
    },
  };
}

/** How many pods the current set may have in view of those of the others. @param size how many it asks for now */
export function newSize(deployment: Deployment, old: readonly ReplicaSet[], size: number): number {
  const wanted = wantedReplicas(deployment);
  if (!isRollingUpdate(deployment)) return wanted;
  const room = wanted + maxSurge(deployment) - sumOfWanted(old) - size;
  return room <= 0 ? size : size + Math.min(room, wanted - size);
}

/** Sets the annotation with the revision on the Deployment. Answers whether that is a change. */
function setRevision({deployment, parts}: DeploymentWrites, revision: string): boolean {
  const {revision: key} = parts.annotations;
  if (deployment.metadata.annotations?.[key] === revision) return false;
  deployment.metadata = {...deployment.metadata, annotations: {...deployment.metadata.annotations, [key]: revision}};
  return true;
}

/** Whether a status is what is stored. */
export function isStored(status: Deployment['status'], stored: Deployment['status']): boolean {
  return sameValue(status ?? {}, stored ?? {});
}
