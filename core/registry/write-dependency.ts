import {notFound, type DecidedBy, type NamingProfile} from '../../sdk/index.js';
import type {ResourceCatalog} from '../api/types/resource-catalog.js';
import type {CachedEntry} from '../storage/cache/cached-entry.js';
import type {Storage} from '../storage/storage.js';
import type {WriteGuard} from '../storage/write/write-guard.js';

/** The dependency of a write on the object that it was admitted by. */
export interface WriteDependency {
  /** Lets the store refuse the write when that object has changed. */
  readonly guard: WriteGuard;
  /** Resolves when this server's cache has the change because of which it was refused. */
  catchUp(): Promise<void>;
}

/** @throws StatusError 404 when the type of the object is no longer served */
export function writeDependency(
  {ref, object}: DecidedBy,
  naming: NamingProfile,
  catalog: ResourceCatalog,
  storage: Storage,
): WriteDependency {
  const type = catalog.find(naming.group(ref.group), ref.version, ref.resource)?.type.storageName;
  if (type === undefined) throw notFound({...ref, name: object.name});
  const {key} = object;
  const {revision} = object as CachedEntry;
  const guard = {type, key, revision};
  return {
    guard: {of: (otherType, otherKey) => (storage.isOnePlace(guard, {type: otherType, key: otherKey}) ? guard : undefined)},
    catchUp: () => storage.caughtUp(type),
  };
}
