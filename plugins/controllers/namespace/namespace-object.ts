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

/** Whether a namespace is being deleted and waits for the holder of `finalizer`, or for nobody: then it has to be emptied just so. */
export function isDeletedBy(object: ApiObject, finalizer: string): object is Namespace {
  const namespace = object as Namespace;
  return Boolean(object.metadata.deletionTimestamp) && (hasNoFinalizers(namespace) || namespace.spec!.finalizers!.includes(finalizer));
}

/** Whether nothing but its contents keeps a namespace: any change of one that is being deleted would remove it. */
export function hasNoFinalizers(namespace: Namespace): boolean {
  return (namespace.spec?.finalizers ?? []).length === 0;
}
