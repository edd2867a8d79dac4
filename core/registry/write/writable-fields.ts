import type {ApiObject} from '../../../sdk/index.js';
import type {ServedVersion, ObjectTarget} from '../served-version.js';
import type {Settable} from './decode-object.js';
import {keepOnlyPaths, restorePath} from './restore-paths.js';

/** Keeps only the fields of the wanted object that this endpoint lets a client set. */
export function takeWritableFields(served: ServedVersion, target: ObjectTarget, object: ApiObject, old: ApiObject): ApiObject {
  const writes = writablePaths(served, target.subresource);
  if (writes) return withIdentity(keepOnlyPaths(object, old, writes), object.metadata);
  const {uid, resourceVersion} = object.metadata;
  const kept = keptPaths(served, target.subresource);
  for (const path of kept) restorePath(object, old, path);
  return withIdentity(object, {...(kept.includes('metadata.uid') ? {} : {uid}), resourceVersion});
}

/** Paths that keep their stored value when an object is changed. Nobody owns them. */
export function keptPaths({version, type}: ServedVersion, subresource: string): readonly string[] {
  const {[subresource || 'main']: reset = []} = version.resetFields;
  const {setOnce} = type.behaviour;
  return subresource === '' && setOnce.length > 0 ? [...reset, ...setOnce] : reset;
}

/** What the bodies of an endpoint may set, whose kind is that of the type. */
export function settableOf(served: ServedVersion, {subresource}: ObjectTarget): Settable {
  const take = (body: ApiObject): ApiObject => {
    const {apiVersion, kind, metadata} = body;
    const writes = writablePaths(served, subresource);
    if (writes) return keepOnlyPaths(body, {apiVersion, kind, metadata} as ApiObject, writes);
    for (const path of served.version.resetFields[subresource || 'main'] ?? []) restorePath(body, undefined, path);
    return body;
  };
  return {isStatus: subresource === 'status', take};
}

/** With what a client says of which object it means: whether that is so is judged later. */
function withIdentity(kept: ApiObject, {uid, resourceVersion}: Partial<Pick<ApiObject['metadata'], 'uid' | 'resourceVersion'>>): ApiObject {
  if (uid) kept.metadata.uid = uid;
  if (resourceVersion) kept.metadata.resourceVersion = resourceVersion;
  return kept;
}

/** The fields that a subresource accepts. For `status` that is only the status, unless the type declares which fields are kept instead. */
export function writablePaths({version}: ServedVersion, subresource: string): readonly string[] | undefined {
  if (subresource === '') return undefined;
  const given = version.subresources[subresource]?.writes;
  if (given || subresource !== 'status') return given;
  return Object.hasOwn(version.resetFields, subresource) ? undefined : ['status'];
}
