import type {ApiList, ApiObject, WatchEvent} from '../objects/api-object.js';

/** Names one resource type in one version; groups in the neutral `orch` form. */
export interface ResourceRef {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

export interface ReadOptions {
  /** `0` takes whatever the cache has; absent means most recent. */
  resourceVersion?: string;
}

export interface ListOptions extends ReadOptions {
  labelSelector?: string;
  fieldSelector?: string;
  limit?: number;
  continue?: string;
}

export interface DeleteCallOptions {
  gracePeriodSeconds?: number;
  propagationPolicy?: 'Foreground' | 'Background' | 'Orphan';
  uid?: string;
  resourceVersion?: string;
}

/**
 * Access to objects for plugins inside the server. Requests go through the same registry as external ones
 * (admission, validation, conflicts), under the plugin's own user name. All methods reject with a `StatusError`.
 * Returned objects are copies: the caller may change them.
 */
export interface ResourceClient {
  get(ref: ResourceRef, namespace: string, name: string, options?: ReadOptions): Promise<ApiObject>;
  list(ref: ResourceRef, namespace: string, options?: ListOptions): Promise<ApiList>;
  /** Ends when `signal` fires. Throws (`Expired`) if the version is too old: list again. */
  watch(ref: ResourceRef, namespace: string, options: ListOptions & {signal: AbortSignal}): AsyncIterable<WatchEvent>;
  create(ref: ResourceRef, namespace: string, object: ApiObject): Promise<ApiObject>;
  /** Creates a missing object if its type allows creation by PUT. */
  update(ref: ResourceRef, namespace: string, object: ApiObject, subresource?: string): Promise<ApiObject>;
  /** JSON merge patch. */
  patch(ref: ResourceRef, namespace: string, name: string, patch: object, subresource?: string): Promise<ApiObject>;
  delete(ref: ResourceRef, namespace: string, name: string, options?: DeleteCallOptions): Promise<void>;
  deleteCollection(ref: ResourceRef, namespace: string, options?: ListOptions & DeleteCallOptions): Promise<void>;
  /** The resource types that are currently served, for code that works on all of them. */
  resources(): readonly ServedResource[];
}

export interface ServedResource extends ResourceRef {
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}
