import type {ApiObject} from '../../../sdk/index.js';

type OwnerReferences = NonNullable<ApiObject['metadata']['ownerReferences']>;
type OwnerReference = OwnerReferences[number];

/** The one owner that manages an object. */
export function controllerOf({metadata}: ApiObject): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({controller}) => controller === true);
}

/** What makes an object one that `owner` manages. */
export function controllerReference(owner: ApiObject, apiVersion: string, kind: string): OwnerReference {
  return {...ownerReference(owner, apiVersion, kind), controller: true, blockOwnerDeletion: true};
}

/** What makes an object go with `owner`. */
export function ownerReference({metadata}: ApiObject, apiVersion: string, kind: string): OwnerReference {
  return {apiVersion, kind, name: metadata.name ?? '', uid: metadata.uid ?? ''};
}

/** A merge patch that gives an object these owners, if it is still the one that was read. */
export function ownersPatch({metadata}: ApiObject, ownerReferences: OwnerReferences): object {
  return {metadata: {uid: metadata.uid, resourceVersion: metadata.resourceVersion, ownerReferences}};
}
