import type {ApiObject, ResourceObject} from '../objects/api-object.js';

export type {ResourceObject};

/** What subresources carry, by name. */
export type Subresources = Record<string, ResourceObject>;

/**
 * A resource type in one version, with the TypeScript types of its objects. Groups of the platform are in the neutral
 * `orch` form (`storage.orch`); clients spell them as the server they talk to does.
 *
 * @typeParam T the objects
 * @typeParam S what each subresource carries, by name
 */
export interface ResourceHandle<T extends ResourceObject = ApiObject, S extends Subresources = Record<string, ApiObject>> {
  readonly group: string;
  readonly version: string;
  /** The plural, as it stands in paths. */
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** Never there at run time; carries the types. */
  readonly carries?: {readonly object: T; readonly subresources: S};
}

/** The objects of a resource type: `ObjectOf<typeof types.apps.v1.Deployment>`. */
export type ObjectOf<R> = R extends ResourceHandle<infer T, infer _S> ? T : never;

/** What the subresources of a resource type carry, by name. */
export type SubresourcesOf<R> = R extends ResourceHandle<infer _T, infer S> ? S : never;

/** A type whose objects live in namespaces. */
export function namespaced<T extends ResourceObject = ApiObject, S extends Subresources = Record<string, ApiObject>>(
  group: string,
  version: string,
  resource: string,
  kind: string,
): ResourceHandle<T, S> {
  return {group, version, resource, kind, namespaced: true};
}

/** A type whose objects live outside of namespaces. */
export function clusterWide<T extends ResourceObject = ApiObject, S extends Subresources = Record<string, ApiObject>>(
  group: string,
  version: string,
  resource: string,
  kind: string,
): ResourceHandle<T, S> {
  return {group, version, resource, kind, namespaced: false};
}
