import {isNotFound, type ApiObject, type ListOptions, type ResourceClient, type ResourceRef, type Unchecked} from '../../../sdk/index.js';
import type * as core from '../../../sdk/types/core/v1.js';

type Pod = Unchecked<core.Pod>;

const pods: ResourceRef = {group: '', version: 'v1', resource: 'pods'};
const pageSize = 500;

/**
 * Whether a pod uses a claim. Only pods that are bound to a node count: a pod whose claim is being deleted is not started. The cache is
 * checked first, but it may lag behind, so only the store can confirm that there is no such pod.
 */
export async function isClaimUsed(resources: ResourceClient, claim: ApiObject): Promise<boolean> {
  try {
    return (await someUses(resources, claim, {resourceVersion: '0'})) || (await someUses(resources, claim, {}));
  } catch (error) {
    // A server without pods.
    if (isNotFound(error)) return false;
    throw error;
  }
}

async function someUses(resources: ResourceClient, claim: ApiObject, from: ListOptions): Promise<boolean> {
  const namespace = claim.metadata.namespace!;
  let page = await resources.list(pods, namespace, {...from, limit: pageSize});
  for (;;) {
    if ((page.items as Pod[]).some((pod) => uses(pod, claim))) return true;
    const token = page.metadata.continue;
    if (!token) return false;
    page = await resources.list(pods, namespace, {limit: pageSize, continue: token});
  }
}

function uses({metadata, spec}: Pod, {metadata: claim}: ApiObject): boolean {
  if (!spec?.nodeName) return false;
  // The claim of an ephemeral volume is named after the pod, which owns it.
  const isOwner = claim.ownerReferences?.some(({uid, controller}) => controller === true && uid === metadata.uid) ?? false;
  const isShutDown = Boolean(metadata.deletionTimestamp) && Number(metadata.deletionGracePeriodSeconds ?? -1) === 0;
  return (spec.volumes ?? []).some(
    ({name, persistentVolumeClaim, ephemeral}) =>
      persistentVolumeClaim?.claimName === claim.name ||
      (ephemeral && isOwner && !isShutDown && `${metadata.name ?? ''}-${name ?? ''}` === claim.name),
  );
}
