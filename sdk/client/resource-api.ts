import {expired} from '../errors/builders.js';
import {apiVersionOf} from '../objects/group-version.js';
import type {TypedObjects} from '../controllers/typed-objects.js';
import type {Status} from '../objects/status.js';
import type {ResourceObject, ResourceHandle, Subresources} from '../types/resource-handle.js';
import type {ApiRequests} from './api-requests.js';
import {decodeEnvelope, type Envelope} from './envelope.js';
import {Informer, type InformerOptions} from './informer/informer.js';
import type {
  ApplyOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  PageOptions,
  WatchOptions,
  WriteOptions,
} from './options.js';
import {listAll, pagesOf, type Page} from './pages.js';
import {spelledGroup} from './platform.js';
import {queryText} from './query.js';
import {applyMediaType, patchMediaTypes, type ListOf, type PatchForms, type ResourceEvent} from '../objects/resource-objects.js';
import {resourcePath} from './resource-path.js';
import {SubresourceApi} from './subresource-api.js';
import {watchEvents} from './watch-stream.js';

/**
 * The objects of one type, in one namespace or in all. Every method rejects with a `StatusError` if the server rejects the request, with a
 * `ConnectionError` if it cannot be reached, and with the reason of `options.signal` if that fires.
 */
export class ResourceApi<T extends ResourceObject, S extends Subresources = Subresources> implements TypedObjects<T, S> {
  readonly #requests: ApiRequests;

  /** @param namespace empty: all namespaces for reads of collections, the object's namespace for writes */
  constructor(
    requests: ApiRequests,
    readonly type: ResourceHandle<T, S>,
    readonly namespace: string,
  ) {
    this.#requests = requests;
  }

  async get(name: string, options: GetOptions = {}): Promise<T> {
    return this.#requests.json('GET', this.#path(this.namespace, name) + queryText(options), call(options));
  }

  /**
   * The object in the platform's binary form, for callers with their own decoder.
   *
   * @throws Error if the response is not a binary object; StatusError (406) for types without a binary form
   */
  async getBinary(name: string, options: GetOptions = {}): Promise<Envelope> {
    const accept = this.#requests.platform.protobufMediaType;
    return decodeEnvelope(
      await this.#requests.bytes('GET', this.#path(this.namespace, name) + queryText(options), {accept, ...call(options)}),
    );
  }

  /**
   * One page of the collection, or all of it without `limit`.
   *
   * @throws StatusError (410) also if `Exact` was requested and the server returns another version
   */
  async list(options: ListOptions = {}): Promise<ListOf<T>> {
    const list = await this.#requests.json<ListOf<T>>('GET', this.#path(this.namespace) + queryText(options), call(options));
    const {resourceVersion, resourceVersionMatch, limit} = options;
    // A server that does not know the parameter may return any version.
    if (resourceVersionMatch === 'Exact' && limit === undefined && list.metadata.resourceVersion !== resourceVersion) {
      throw expired(`the server returned version ${list.metadata.resourceVersion} of the collection instead of exactly ${resourceVersion}`);
    }
    list.items ??= [];
    for (const item of list.items) {
      item.apiVersion ??= list.apiVersion;
      item.kind ??= this.type.kind;
    }
    return list;
  }

  /** The collection page by page, all pages of one state. `limit` is 500 by default. */
  pages(options: PageOptions = {}): AsyncGenerator<Page<T>, void, undefined> {
    return pagesOf((page) => this.list(page), {limit: 500, ...options});
  }

  /** The whole collection, fetched in pages; starts over if its state expires in between. `limit` is 500 by default. */
  listAll(options: Omit<PageOptions, 'onExpired'> = {}): Promise<ListOf<T>> {
    return listAll((page) => this.list(page), {limit: 500, ...options});
  }

  /**
   * Streams changes. Ends when the server ends the watch (after `timeoutSeconds`, or when it stops) or the signal fires; resume from the
   * last version received.
   *
   * @throws StatusError with code 410 if the version is too old: list again
   */
  watch(options: WatchOptions = {}): AsyncGenerator<ResourceEvent<T>, void, undefined> {
    const path = this.#path(this.namespace) + queryText({watch: true, allowWatchBookmarks: true, ...options});
    return watchEvents(this.#requests.transport.server.text, () => this.#requests.stream(path, options.signal), options.signal);
  }

  /** A cache of the collection that watches its changes. It starts with `start()`. */
  informer(options: InformerOptions<T> = {}): Informer<T> {
    return new Informer(this, options);
  }

  /** `apiVersion` and `kind` may be left out. */
  async create(object: T, options: WriteOptions = {}): Promise<T> {
    return this.#requests.json('POST', this.#path(this.#namespaceOf(object)) + queryText(options), {
      body: this.#complete(object),
      ...call(options),
    });
  }

  /** Replaces an object. With `metadata.resourceVersion`, it fails with a conflict if the object has changed. */
  async update(object: T, options: WriteOptions = {}): Promise<T> {
    const path = this.#path(this.#namespaceOf(object), nameOf(object));
    return this.#requests.json('PUT', path + queryText(options), {body: this.#complete(object), ...call(options)});
  }

  async patch<F extends keyof PatchForms<T>>(name: string, form: F, patch: PatchForms<T>[F], options: WriteOptions = {}): Promise<T> {
    return this.#requests.json('PATCH', this.#path(this.namespace, name) + queryText(options), {
      body: patch,
      contentType: patchMediaTypes[form],
      ...call(options),
    });
  }

  /**
   * Server-side apply: creates the object or takes ownership of the given fields. Pass only fields that the caller has an opinion about.
   */
  async apply(object: T, options: ApplyOptions): Promise<T> {
    const path = this.#path(this.#namespaceOf(object), nameOf(object));
    return this.#requests.json('PATCH', path + queryText(options), {
      body: this.#complete(object),
      contentType: applyMediaType,
      ...call(options),
    });
  }

  /** Returns a Status if the object is gone, and the object if finalizers still keep it (or if its type does so). */
  async delete(name: string, options: DeleteOptions = {}): Promise<T | Status> {
    const {preconditions} = options;
    const body = preconditions ? {kind: 'DeleteOptions', apiVersion: 'v1', preconditions} : undefined;
    return this.#requests.json('DELETE', this.#path(this.namespace, name) + queryText(options), {body, ...call(options)});
  }

  /** Deletes all objects of the collection that the selectors match. */
  async deleteCollection(options: DeleteCollectionOptions = {}): Promise<ListOf<T> | Status> {
    return this.#requests.json('DELETE', this.#path(this.namespace) + queryText(options), call(options));
  }

  /** `status`, `scale` and any others of the type. */
  subresource<N extends keyof S & string>(name: N): SubresourceApi<S[N]> {
    return new SubresourceApi<S[N]>(this.#requests, (object) => this.#path(this.namespace, object, name));
  }

  #path(namespace: string, name?: string, subresource?: string): string {
    const {group, version, resource, kind, namespaced} = this.type;
    if (name !== undefined && namespaced && namespace === '')
      throw new TypeError(`objects of kind ${kind} are namespaced, but no namespace is given`);
    return resourcePath(
      {
        group,
        version,
        resource,
        namespace: namespaced ? namespace : '',
        ...(name === undefined ? {} : {name}),
        ...(subresource === undefined ? {} : {subresource}),
      },
      this.#requests.platform,
    );
  }

  #namespaceOf(object: T): string {
    const namespace = this.namespace || (object.metadata?.namespace ?? '');
    if (namespace === '' && this.type.namespaced)
      throw new TypeError(`objects of kind ${this.type.kind} are namespaced, but no namespace is given`);
    return namespace;
  }

  #complete(object: T): T {
    if (object.apiVersion !== undefined && object.kind !== undefined) return object;
    const {group, version, kind} = this.type;
    return {
      ...object,
      apiVersion: object.apiVersion ?? apiVersionOf({group: spelledGroup(group, this.#requests.platform), version}),
      kind: object.kind ?? kind,
    };
  }
}

function nameOf(object: ResourceObject): string {
  const name = object.metadata?.name;
  if (!name) throw new TypeError('the object has no metadata.name');
  return name;
}

function call({signal}: {signal?: AbortSignal}): {signal?: AbortSignal} {
  return signal ? {signal} : {};
}
