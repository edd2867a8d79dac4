import {
  pathNotFound,
  type ApiObject,
  type AuthorizationAttributes,
  type CacheFollower,
  type ChangeBounds,
  type NamingProfile,
  type ObjectChanges,
  type ObjectCache,
  type ObjectInCache,
  type ObjectVersion,
  type ResourceRef,
  type UserInfo,
} from '../../../sdk/index.js';
import {CachedEntry} from '../../storage/cache/cached-entry.js';
import type {TypeStorage} from '../../storage/type-storage.js';
import type {Registry} from '../registry.js';
import {errorTarget, type ServedVersion} from '../served-version.js';
import {toStatusError} from '../store-errors.js';
import {localAttributes} from './local-access.js';

/** The caches of a registry's types, for plugins. */
export class RegistryCache implements ObjectCache {
  readonly #registry: Registry;
  readonly #naming: NamingProfile;

  constructor(registry: Registry, naming: NamingProfile) {
    this.#registry = registry;
    this.#naming = naming;
  }

  follow(ref: ResourceRef, follower: CacheFollower, signal: AbortSignal): void {
    const storage = this.#storage(ref);
    if (!storage) throw pathNotFound();
    storage.follow(follower, signal);
  }

  *list(ref: ResourceRef, namespace: string): Iterable<ObjectInCache> {
    for (const entry of this.#storage(ref)?.allCached(namespace) ?? []) if (entry.fault === undefined) yield entry;
  }

  read(ref: ResourceRef, object: ObjectInCache): ApiObject | Promise<ApiObject> {
    const served = this.#served(ref);
    const entry = object instanceof CachedEntry ? object : served?.storage.cached(object.namespace, object.name);
    if (!served || !entry) throw pathNotFound();
    const shown = served.view.converted(entry);
    return shown instanceof Promise ? shown.then((converted) => converted.object()) : shown.object();
  }

  find(ref: ResourceRef, namespace: string, name: string): ObjectInCache | undefined {
    const entry = this.#storage(ref)?.cached(namespace, name);
    return entry?.fault === undefined ? entry : undefined;
  }

  count(ref: ResourceRef): number | undefined {
    return this.#storage(ref)?.objectCount;
  }

  async caughtUp(ref: ResourceRef): Promise<void> {
    const served = this.#served(ref);
    if (!served) throw pathNotFound();
    await served.storage.caughtUp().catch((error: unknown) => {
      throw toStatusError(error, errorTarget(served, ''));
    });
  }

  async changes(ref: ResourceRef, namespace: string, name: string, bounds: ChangeBounds): Promise<ObjectChanges> {
    const served = this.#served(ref);
    if (!served) throw pathNotFound();
    const {type, view, storage} = served;
    try {
      const {floor, versions, leftOut} = await storage.changes(type.namespaced ? namespace : '', name, bounds);
      const readable = versions.filter(({entry}) => entry.fault === undefined).map(({entry}) => entry);
      await view.prepare(readable);
      const shown = versions.map(({type: change, revision, time, entry}): ObjectVersion => {
        const object = entry.fault === undefined ? view.convertedNow(entry).object() : undefined;
        return {type: change, resourceVersion: String(revision), time, object};
      });
      return {after: String(floor), versions: shown, leftOut};
    } catch (error) {
      throw toStatusError(error, errorTarget(served, name));
    }
  }

  /** The attributes for listing a type in all namespaces; undefined for a type that is not cached. */
  attributes(ref: ResourceRef, user: UserInfo): AuthorizationAttributes | undefined {
    const served = this.#served(ref);
    return served && localAttributes(user, 'list', {served}, {namespace: '', name: ''});
  }

  onTypesChanged(call: () => void): () => void {
    return this.#registry.catalog.onChange(call);
  }

  #storage(ref: ResourceRef): TypeStorage | undefined {
    return this.#served(ref)?.storage;
  }

  /** Undefined for a type that stores nothing. Types may have neutral or served names. */
  #served({group, version, resource}: ResourceRef): ServedVersion | undefined {
    const registry = this.#registry;
    const found = registry.catalog.find(this.#naming.group(group), version, resource) ?? registry.catalog.find(group, version, resource);
    return found && !found.type.isVirtual ? registry.served(found) : undefined;
  }
}
