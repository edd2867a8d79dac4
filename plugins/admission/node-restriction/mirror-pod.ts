import type {Pod, PodSpec, Volume, VolumeProjection} from '../../../sdk/types/unchecked/core/v1.js';
import {configMapNames, secretNames} from '../../families/pods/referenced-names.js';

/**
 * Why a kubelet may not create a pod; undefined if it may. It may only create mirror pods of its static pods, on its own node, owned by
 * that node, and without access to anything that it could not read otherwise.
 *
 * @param mirror key of the annotation that such pods have
 */
export function mirrorPodFault({metadata, spec = {}}: Pod, node: string, mirror: string): string | undefined {
  const agent = `node "${node}"`;
  if (metadata.annotations?.[mirror] === undefined) {
    return `pod does not have "${mirror}" annotation, ${agent} can only create mirror pods`;
  }
  if (spec.nodeName !== node) return `${agent} can only create pods with spec.nodeName set to itself`;
  const owners = metadata.ownerReferences ?? [];
  if (owners.length > 1) return `${agent} can only create pods with a single owner reference set to itself`;
  const [owner] = owners;
  if (!owner || owner.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node) {
    return `${agent} can only create pods with an owner reference set to itself`;
  }
  if (!owner.controller) return `${agent} can only create pods with a controller owner reference set to itself`;
  if (owner.blockOwnerDeletion) return `${agent} must not set blockOwnerDeletion on an owner reference`;
  return undefined;
}

/**
 * The first object that such a pod refers to but may not.
 *
 * @param isStrict whether it may refer to no object of the API at all (gate PreventStaticPodAPIReferences); otherwise what the node could read through it counts
 */
export function referenceFault({spec = {}}: Pod, node: string, isStrict: boolean): string | undefined {
  const found = isStrict ? anyReference(spec) : readableReference(spec);
  return found && `node "${node}" can not create pods that reference ${found}`;
}

function readableReference(spec: PodSpec): string | undefined {
  if (spec.serviceAccountName) return 'a service account';
  if (secretNames(spec).size > 0) return 'secrets';
  if (configMapNames(spec).size > 0) return 'configmaps';
  if (spec.volumes?.some(({projected}) => projected?.sources?.some(({clusterTrustBundle}) => clusterTrustBundle)))
    return 'clustertrustbundles';
  if (spec.volumes?.some(({persistentVolumeClaim}) => persistentVolumeClaim)) return 'persistentvolumeclaims';
  if (spec.resourceClaims?.length) return 'resourceclaims';
  return undefined;
}

/** In the order and words of Kubernetes. */
function anyReference(spec: PodSpec): string | undefined {
  if (spec.serviceAccountName) return 'serviceaccounts';
  if (secretNames(spec).size > 0) return 'secrets';
  if (configMapNames(spec).size > 0) return 'configmaps';
  if (spec.resourceClaims?.length) return 'resourceclaims';
  for (const volume of spec.volumes ?? []) {
    const found = volumeReferences.find(([member]) => volume[member] !== undefined && volume[member] !== null);
    if (found) return found[1];
    for (const source of volume.projected?.sources ?? []) {
      const projected = sourceReferences.find(([member]) => source[member] !== undefined && source[member] !== null);
      if (projected) return projected[1];
    }
  }
  return undefined;
}

const volumeReferences: readonly (readonly [keyof Volume, string])[] = [
  ['configMap', 'configmaps (via configmap volumes)'],
  ['secret', 'secrets (via secret volumes)'],
  ['csi', 'csidrivers (via CSI volumes)'],
  ['glusterfs', 'endpoints (via glusterFS volumes)'],
  ['persistentVolumeClaim', 'persistentvolumeclaims'],
  ['ephemeral', 'persistentvolumeclaims (via ephemeral volumes)'],
  ['azureFile', 'secrets (via azureFile volumes)'],
];
const sourceReferences: readonly (readonly [keyof VolumeProjection, string])[] = [
  ['configMap', 'configmaps (via projected volumes)'],
  ['secret', 'secrets (via projected volumes)'],
  ['serviceAccountToken', 'serviceaccounts (via projected volumes)'],
  ['clusterTrustBundle', 'clustertrustbundles'],
  ['podCertificate', 'podcertificates'],
];
