import type {ApiObject} from '../objects/api-object.js';

/** Identifies an object among those of its type: `NAMESPACE/NAME`, or `/NAME` for cluster-scoped types. */
export function objectKey({metadata}: ApiObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}

/** Namespace and name of a key from `objectKey`. */
export function splitObjectKey(key: string): [namespace: string, name: string] {
  const slash = key.indexOf('/');
  return [key.slice(0, slash), key.slice(slash + 1)];
}

/** The keys of an object that is reconciled itself. */
export function ownKey(object: ApiObject): string[] {
  return [objectKey(object)];
}
