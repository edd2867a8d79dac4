import type {ApiObject, ResourceRef} from '../../../sdk/index.js';

export const namespaces: ResourceRef = {group: '', version: 'v1', resource: 'namespaces'};

/** Fields of a namespace that the controller looks at. */
export interface Namespace extends ApiObject {
  spec?: {finalizers?: string[]};
  status?: {phase?: string; conditions?: NamespaceCondition[]};
}

export interface NamespaceCondition {
  type: string;
  status: 'True' | 'False';
  lastTransitionTime: string;
  reason: string;
  message: string;
}

/** Whether a namespace is being deleted and waits for the holder of `finalizer`. */
export function isDeletedBy(object: ApiObject, finalizer: string): object is Namespace {
  return Boolean(object.metadata.deletionTimestamp) && ((object as Namespace).spec?.finalizers?.includes(finalizer) ?? false);
}
