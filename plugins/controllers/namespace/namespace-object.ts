import type {ApiObject, ResourceRef} from '../../../sdk/index.js';
import type {Namespace} from '../../../sdk/types/unchecked/core/v1.js';

export const namespaces: ResourceRef = {group: '', version: 'v1', resource: 'namespaces'};

/** Whether a namespace is being deleted and has `finalizer`, or no finalizer at all; in both cases it must be emptied. */
export function isDeletedBy(object: ApiObject, finalizer: string): object is Namespace {
  const namespace = object as Namespace;
  return Boolean(object.metadata.deletionTimestamp) && (hasNoFinalizers(namespace) || namespace.spec!.finalizers!.includes(finalizer));
}

/** Whether nothing but its contents keeps a namespace: any change of one that is being deleted would remove it. */
export function hasNoFinalizers(namespace: Namespace): boolean {
  return (namespace.spec?.finalizers ?? []).length === 0;
}
