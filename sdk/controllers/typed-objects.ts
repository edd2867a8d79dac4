import type {
  ApplyCallOptions,
  DeleteCallOptions,
  ListOptions,
  ReadOptions,
  ResourceClient,
  WriteCallOptions,
} from '../contracts/resource-client.js';
import type {ApiObject} from '../objects/api-object.js';
import type {ListOf, PatchForms, ResourceEvent} from '../objects/resource-objects.js';
import type {Status} from '../objects/status.js';
import type {ResourceHandle, ResourceObject, Subresources} from '../types/resource-handle.js';

/** A subresource of the objects of one type. */
export interface TypedSubresource<T extends ResourceObject> {
  get(name: string): Promise<T>;
  /** Carries out an operation (`eviction`, `binding`, `token`). */
  create<R extends ResourceObject = T>(name: string, body: T, options?: WriteCallOptions): Promise<R | Status>;
  update(name: string, object: T, options?: WriteCallOptions): Promise<T>;
  patch<F extends keyof PatchForms<T>>(name: string, form: F, patch: PatchForms<T>[F], options?: WriteCallOptions): Promise<T>;
  apply(name: string, object: T, options: ApplyCallOptions): Promise<T>;
}

/** The options of a deletion that `@orch-api/orch/client` takes in the same form. */
export interface TypedDeleteOptions extends Omit<DeleteCallOptions, 'uid' | 'resourceVersion'> {
  /** The object must have this uid and version; otherwise the call fails with a conflict. */
  preconditions?: {readonly uid?: string; readonly resourceVersion?: string};
}

/**
 * The objects of one type, in one namespace or in all, with their TypeScript types. The methods are those that `Client.resource` of `@orch-api/orch/client` has too: code that is
 * given `TypedObjects` works with either. All methods reject with a `StatusError` if the server refuses.
 */
export interface TypedObjects<T extends ResourceObject, S extends Subresources = Subresources> {
  get(name: string, options?: ReadOptions): Promise<T>;
  list(options?: ListOptions): Promise<ListOf<T>>;
  /** Ends when `signal` fires. @throws StatusError with code 410 if the version is too old: list again */
  watch(options: ListOptions & {signal: AbortSignal}): AsyncIterable<ResourceEvent<T>>;
  create(object: T, options?: WriteCallOptions): Promise<T>;
  /** Replaces an object. With `metadata.resourceVersion`, it fails with a conflict if the object has changed. */
  update(object: T, options?: WriteCallOptions): Promise<T>;
  patch<F extends keyof PatchForms<T>>(name: string, form: F, patch: PatchForms<T>[F], options?: WriteCallOptions): Promise<T>;
  /** Server-side apply: creates the object or takes ownership of the given fields. */
  apply(object: T, options: ApplyCallOptions): Promise<T>;
  delete(name: string, options?: TypedDeleteOptions): Promise<unknown>;
  deleteCollection(options?: ListOptions & Omit<TypedDeleteOptions, 'preconditions'>): Promise<unknown>;
  subresource<N extends keyof S & string>(name: N): TypedSubresource<S[N]>;
}

/**
 * The objects of a type, through the client of a plugin or of a controller.
 *
 * @param type a generated one (`types.apps.v1.Deployment` of `@orch-api/orch/types/resources`), or one made with `namespaced` or `clusterWide` of
 *   `@orch-api/orch/types/resource-handle`
 * @param namespace empty: all namespaces for reads of collections, the object's own for the others
 */
export function objectsOf<T extends ResourceObject, S extends Subresources>(
  resources: ResourceClient,
  type: ResourceHandle<T, S>,
  namespace = '',
): TypedObjects<T, S> {
  const within = (object: ResourceObject) => (type.namespaced ? namespace || (object.metadata?.namespace ?? '') : '');
  // The registry checks what comes in, and what comes out is of the type that was asked for.
  const untyped = (object: ResourceObject) => object as ApiObject;
  const typed = <R>(answer: Promise<unknown>) => answer as Promise<R>;
  return {
    get: (name, options) => typed(resources.get(type, namespace, name, options)),
    list: (options) => typed(resources.list(type, namespace, options)),
    watch: (options) => resources.watch(type, namespace, options) as AsyncIterable<ResourceEvent<T>>,
    create: (object, options) => typed(resources.create(type, within(object), untyped(object), options)),
    update: (object, options) => typed(resources.update(type, within(object), untyped(object), '', options)),
    patch: (name, form, patch, options) => typed(resources.patch(type, namespace, name, patch as object, '', {...options, form})),
    apply: (object, options) => typed(resources.apply(type, within(object), untyped(object), options)),
    delete: (name, {preconditions, ...options} = {}) => resources.delete(type, namespace, name, {...options, ...preconditions}),
    deleteCollection: (options) => resources.deleteCollection(type, namespace, options),
    subresource: (subresource) => ({
      get: (name) => typed(resources.get(type, namespace, name, {subresource})),
      create: (name, body, options) => typed(resources.create(type, namespace, untyped(body), {...options, on: {name, subresource}})),
      update: (name, object, options) => typed(resources.update(type, namespace, named(object, name), subresource, options)),
      patch: (name, form, patch, options) =>
        typed(resources.patch(type, namespace, name, patch as object, subresource, {...options, form})),
      apply: (name, object, options) => typed(resources.apply(type, namespace, named(object, name), options, subresource)),
    }),
  };
}

/** The object with the name under which it is written, unless it says another: that is for the server to refuse. */
function named(object: ResourceObject, name: string): ApiObject {
  return {...object, metadata: {...object.metadata, name: object.metadata?.name ?? name}};
}
