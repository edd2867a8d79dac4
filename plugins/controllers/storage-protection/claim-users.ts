import {ifFound, pagesOf, type ApiObject, type ListOptions, type ResourceClient, type ResourceRef} from '../../../sdk/index.js';
import type {Pod} from '../../../sdk/types/unchecked/core/v1.js';

const pods: ResourceRef = {group: '', version: 'v1', resource: 'pods'};

/**
 * Whether a pod uses a claim. Only pods that are bound to a node count: a pod whose claim is being deleted is not started. The cache is
 * checked first, but it may lag behind, so only the store can confirm that there is no such pod.
 */
export async function isClaimUsed(resources: ResourceClient, claim: ApiObject): Promise<boolean> {
  const isUsed = async () => (await someUses(resources, claim, {resourceVersion: '0'})) || someUses(resources, claim, {});
  // A server may have no pods.
  return (await ifFound(isUsed())) ?? false;
}

async function someUses(resources: ResourceClient, claim: ApiObject, from: ListOptions): Promise<boolean> {
  for await (const {items} of pagesOf(resources, pods, claim.metadata.namespace!, from)) {
    if ((items as Pod[]).some((pod) => uses(pod, claim))) return true;
  }
  return false;
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
