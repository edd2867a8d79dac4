import {
  pathNotFound,
  type ApiObject,
  type AuthorizationAttributes,
  type CacheFollower,
  type NamingProfile,
  type ObjectCache,
  type ObjectInCache,
  type ResourceRef,
  type UserInfo,
} from '../../../sdk/index.js';
import {CachedEntry} from '../../storage/cache/cached-entry.js';
import type {TypeStorage} from '../../storage/type-storage.js';
import type {Registry} from '../registry.js';
import type {ServedVersion} from '../served-version.js';
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
