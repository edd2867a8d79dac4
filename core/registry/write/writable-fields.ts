import type {ApiObject} from '../../../sdk/index.js';
import type {ServedVersion, ObjectTarget} from '../served-version.js';
import {keepOnlyPaths, restorePath} from './restore-paths.js';

/** Leaves of the wanted object what this endpoint lets a client set. */
export function takeWritableFields(served: ServedVersion, target: ObjectTarget, object: ApiObject, old: ApiObject): ApiObject {
  const writes = writablePaths(served, target.subresource);
  if (writes) return keepOnlyPaths(object, old, writes);
  for (const path of served.version.resetFields[target.subresource || 'main'] ?? []) restorePath(object, old, path);
  return object;
}

/** What a subresource takes from a request. Of `status` that is the status alone, unless the type says which fields are kept instead. */
export function writablePaths({version}: ServedVersion, subresource: string): readonly string[] | undefined {
  if (subresource === '') return undefined;
  const given = version.subresources[subresource]?.writes;
  if (given || subresource !== 'status') return given;
  return Object.hasOwn(version.resetFields, subresource) ? undefined : ['status'];
}
