import {isNotFound} from '../errors/outcomes.js';
import type {ApiList, ApiObject, WatchEvent} from '../objects/api-object.js';
import type {Clock} from './clock.js';
import type {Scheduler} from './scheduler.js';

const pageSize = 500;

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

export interface GetCallOptions extends ReadOptions {
  /** `scale`, `status`, …: that part in place of the object. Reads it from the object's current state. */
  subresource?: string;
}

export interface ListOptions extends ReadOptions {
  labelSelector?: string;
  fieldSelector?: string;
  limit?: number;
  continue?: string;
}

export interface WriteCallOptions {
  /** Everything is carried out, but nothing is stored. */
  dryRun?: boolean;
  /** Who owns the fields that are written; by default the client's user. */
  fieldManager?: string;
}

export interface CreateCallOptions extends WriteCallOptions {
  /** An operation on an object in place of a new object: `eviction`, `binding`, `token`. */
  on?: {readonly name: string; readonly subresource: string};
}

export interface PatchCallOptions extends WriteCallOptions {
  /** The kind of patch. A merge patch by default. Custom types have no strategic patch. */
  form?: 'json' | 'merge' | 'strategic';
}

export interface ApplyCallOptions extends WriteCallOptions {
  fieldManager: string;
  /** Takes ownership of fields that others own, in place of a conflict. */
  force?: boolean;
}

export interface DeleteCallOptions {
  dryRun?: boolean;
  gracePeriodSeconds?: number;
  propagationPolicy?: 'Foreground' | 'Background' | 'Orphan';
  uid?: string;
  resourceVersion?: string;
}

/**
 * Access to objects for plugins inside the server. Requests go through the same registry as external ones
 * (admission, validation, conflicts), under the plugin's own user name. All methods reject with a `StatusError`.
 * `apiVersion` and `kind` of an object may be left out, except for subresources. Returned objects are copies: the caller may change them. `objectsOf` (`@orch-api/orch/sdk/controllers`) gives the objects of one type with their TypeScript types.
 */
export interface ResourceClient {
  get(ref: ResourceRef, namespace: string, name: string, options?: GetCallOptions): Promise<ApiObject>;
  list(ref: ResourceRef, namespace: string, options?: ListOptions): Promise<ApiList>;
  /** Ends when `signal` fires. Throws (`Expired`) if the version is too old: list again. */
  watch(ref: ResourceRef, namespace: string, options: ListOptions & {signal: AbortSignal}): AsyncIterable<WatchEvent>;
  /** Answers the object, or what an operation answers: a Status, if it makes no object. */
  create(ref: ResourceRef, namespace: string, object: ApiObject, options?: CreateCallOptions): Promise<ApiObject>;
  /** Creates a missing object if its type allows creation by PUT. */
  update(ref: ResourceRef, namespace: string, object: ApiObject, subresource?: string, options?: WriteCallOptions): Promise<ApiObject>;
  /** @param patch an object, or the operations of a JSON patch (RFC 6902) */
  patch(
    ref: ResourceRef,
    namespace: string,
    name: string,
    patch: object,
    subresource?: string,
    options?: PatchCallOptions,
  ): Promise<ApiObject>;
  /**
   * Server-side apply: creates the object, or takes ownership of the given fields.
   */
  apply(ref: ResourceRef, namespace: string, object: ApiObject, options: ApplyCallOptions, subresource?: string): Promise<ApiObject>;
  delete(ref: ResourceRef, namespace: string, name: string, options?: DeleteCallOptions): Promise<void>;
  deleteCollection(ref: ResourceRef, namespace: string, options?: ListOptions & DeleteCallOptions): Promise<void>;
  /**
   * The object as it would be stored if it were created: decoded strictly, with its defaults, validated. It is not admitted, and nothing is stored; strategies see the verb `validate`. Absent from clients of other processes.
   */
  check?(ref: ResourceRef, namespace: string, object: ApiObject): Promise<ApiObject>;
  /** The server's clock (`Tokens.Clock`), by which whatever follows objects waits: tests move it. Absent from clients of other processes: the system's. */
  readonly clock?: Clock;
  /** The server's scheduler (`Tokens.Scheduler`), which controllers share their work with. Absent from clients of other processes. */
  readonly scheduler?: Scheduler;
  /** The resource types that are currently served, for code that works on all of them. */
  resources(): readonly ServedResource[];
}

export interface ServedResource extends ResourceRef {
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/**
 * The objects of a type, page by page. All pages are of one moment.
 *
 * @param namespace empty: all
 * @param options of the first page: which objects, how recent, how many in a page
 * @throws StatusError 404 if the type is not served, 410 if the pages were not read fast enough
 */
export async function* pagesOf(
  resources: Pick<ResourceClient, 'list'>,
  ref: ResourceRef,
  namespace: string,
  options: ListOptions = {},
): AsyncGenerator<ApiList> {
  const {resourceVersion: _version, ...same} = {limit: pageSize, ...options};
  for (let page = await resources.list(ref, namespace, {limit: pageSize, ...options}); ;) {
    yield page;
    const token = page.metadata.continue;
    if (!token) return;
    page = await resources.list(ref, namespace, {...same, continue: token});
  }
}

/**
 * Reads an object from this server's cache. Only if it is missing there, the store is asked, because the cache may not contain an object
 * just created, here or through another server. For policies, which read the same few objects on every request.
 *
 * @throws StatusError 404 if it does not exist
 */
export async function readCachedFirst(resources: ResourceClient, ref: ResourceRef, namespace: string, name: string): Promise<ApiObject> {
  try {
    return await resources.get(ref, namespace, name, {resourceVersion: '0'});
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return resources.get(ref, namespace, name);
  }
}
