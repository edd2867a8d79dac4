import {
  admissionForbidden,
  ifFound,
  readCachedFirst,
  type AdmissionRequest,
  type ResourceClient,
  type ResourceRef,
} from '../../../sdk/index.js';
import type {Node} from '../../../sdk/types/unchecked/core/v1.js';

export const nodes: ResourceRef = {group: '', version: 'v1', resource: 'nodes'};

/** A node by its name; undefined if there is none. */
export async function findNode(resources: ResourceClient, name: string): Promise<Node | undefined> {
  return (await ifFound(readCachedFirst(resources, nodes, '', name))) as Node | undefined;
}

/** The node of a pod that is changed. @throws 403 if there is none */
export async function nodeOf(resources: ResourceClient, name: string, request: AdmissionRequest): Promise<Node> {
  const node = await findNode(resources, name);
  if (!node) throw admissionForbidden(request, `node ${JSON.stringify(name)} not found`);
  return node;
}
