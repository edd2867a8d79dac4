import type {ApiObject} from '../../../sdk/index.js';

type OwnerReferences = NonNullable<ApiObject['metadata']['ownerReferences']>;
type OwnerReference = OwnerReferences[number];

/** The owner that controls an object. */
export function controllerOf({metadata}: ApiObject): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({controller}) => controller === true);
}

/** The reference that makes `owner` the controller of an object. */
export function controllerReference(owner: ApiObject, apiVersion: string, kind: string): OwnerReference {
  return {...ownerReference(owner, apiVersion, kind), controller: true, blockOwnerDeletion: true};
}

/** The reference that makes an object a dependent of `owner`. */
export function ownerReference({metadata}: ApiObject, apiVersion: string, kind: string): OwnerReference {
  return {apiVersion, kind, name: metadata.name ?? '', uid: metadata.uid ?? ''};
}

/** A merge patch that sets an object's owners if the object has not changed since it was read. */
export function ownersPatch({metadata}: ApiObject, ownerReferences: OwnerReferences): object {
  return {metadata: {uid: metadata.uid, resourceVersion: metadata.resourceVersion, ownerReferences}};
}
