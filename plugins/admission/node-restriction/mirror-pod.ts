import type {Pod} from '../../../sdk/types/unchecked/core/v1.js';
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

/** The first object that such a pod refers to but may not. */
export function referenceFault({spec = {}}: Pod, node: string): string | undefined {
  const refuse = (what: string) => `node "${node}" can not create pods that reference ${what}`;
  if (spec.serviceAccountName) return refuse('a service account');
  if (secretNames(spec).size > 0) return refuse('secrets');
  if (configMapNames(spec).size > 0) return refuse('configmaps');
  if (spec.volumes?.some(({persistentVolumeClaim}) => persistentVolumeClaim)) return refuse('persistentvolumeclaims');
  return undefined;
}
