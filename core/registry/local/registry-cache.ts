import {
  pathNotFound,
  type CacheFollower,
  type NamingProfile,
  type ObjectCache,
  type ObjectInCache,
  type ResourceRef,
} from '../../../sdk/index.js';
import type {TypeStorage} from '../../storage/type-storage.js';
import type {Registry} from '../registry.js';

/** The caches of a registry's types, for plugins. */
export class RegistryCache implements ObjectCache {
  readonly #registry: () => Registry;
  readonly #naming: NamingProfile;

  constructor(registry: () => Registry, naming: NamingProfile) {
    this.#registry = registry;
    this.#naming = naming;
  }

  follow(ref: ResourceRef, follower: CacheFollower, signal: AbortSignal): void {
    const storage = this.#storage(ref);
    if (!storage) throw pathNotFound();
    storage.follow(follower, signal);
  }

  find(ref: ResourceRef, namespace: string, name: string): ObjectInCache | undefined {
    const entry = this.#storage(ref)?.cached(namespace, name);
    return entry?.fault === undefined ? entry : undefined;
  }

  onTypesChanged(call: () => void): () => void {
    return this.#registry().catalog.onChange(call);
  }

  /** Of a type that stores nothing there is none. Types may be named in the neutral form or as they are served. */
  #storage({group, version, resource}: ResourceRef): TypeStorage | undefined {
    const registry = this.#registry();
    const found = registry.catalog.find(this.#naming.group(group), version, resource) ?? registry.catalog.find(group, version, resource);
    return found && !found.type.isVirtual ? registry.served(found).storage : undefined;
  }
}
