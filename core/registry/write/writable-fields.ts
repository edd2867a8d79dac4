import type {ApiObject} from '../../../sdk/index.js';
import type {ServedVersion, ObjectTarget} from '../served-version.js';
import {keepOnlyPaths, restorePath} from './restore-paths.js';

/** Keeps only the fields of the wanted object that this endpoint lets a client set. */
export function takeWritableFields(served: ServedVersion, target: ObjectTarget, object: ApiObject, old: ApiObject): ApiObject {
  const writes = writablePaths(served, target.subresource);
  if (writes) return keepOnlyPaths(object, old, writes);
  for (const path of served.version.resetFields[target.subresource || 'main'] ?? []) restorePath(object, old, path);
  return object;
}

/** The fields that a subresource accepts. For `status` that is only the status, unless the type declares which fields are kept instead. */
export function writablePaths({version}: ServedVersion, subresource: string): readonly string[] | undefined {
  if (subresource === '') return undefined;
  const given = version.subresources[subresource]?.writes;
  if (given || subresource !== 'status') return given;
  return Object.hasOwn(version.resetFields, subresource) ? undefined : ['status'];
}
