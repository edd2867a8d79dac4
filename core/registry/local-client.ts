import {
  internalError,
  notFound,
  pathNotFound,
  type ApiList,
  type ApiObject,
  type DeleteCallOptions,
  type JsonValue,
  type ListOptions,
  type NamingProfile,
  type ReadOptions,
  type ResourceClient,
  type ResourceRef,
  type ServedResource,
  type UserInfo,
  type WatchEvent,
} from '../../sdk/index.js';
import {cloneJson} from '../api/json/clone-json.js';
import {parseFieldSelector} from '../api/selectors/field-selector.js';
import {parseLabelSelector} from '../api/selectors/label-selector.js';
import type {ListQuery, Freshness} from '../storage/read/list-query.js';
import {createObject} from './create-object.js';
import {decodeObject} from './decode-object.js';
import {deleteCollection} from './delete-collection.js';
import {deleteObject} from './delete-object.js';
import type {DeleteOptions} from './delete-options.js';
import {errorTarget, type Endpoint} from './endpoint.js';
import {watchEvents} from './local-watch.js';
import {patchObject} from './patch-object.js';
import type {Registry} from './registry.js';
import {toStatusError} from './store-errors.js';
import {viewOf} from './subresource-view.js';
import {requireVersion, updateObject} from './update-object.js';
import type {WriteContext} from './write-context.js';

/**
 * Objects of this server for code inside it: the same registry as for requests from outside, without HTTP and without
 * authorization (plugins are part of the server), under a user name that managed fields and admission see.
 */
export class LocalClient implements ResourceClient {
  constructor(
    private readonly registry: () => Registry | undefined,
    private readonly naming: NamingProfile,
    private readonly user: UserInfo,
  ) {}

  async get(ref: ResourceRef, namespace: string, name: string, options: ReadOptions = {}): Promise<ApiObject> {
    const endpoint = this.#endpoint(ref);
    try {
      const cached = await endpoint.storage.get(namespace, name, readFreshness(options.resourceVersion));
      if (!cached) throw notFound(errorTarget(endpoint, name));
      return cloneJson((await endpoint.view.show(cached)).object());
    } catch (error) {
      throw toStatusError(error, errorTarget(endpoint, name));
    }
  }

  async list(ref: ResourceRef, namespace: string, options: ListOptions = {}): Promise<ApiList> {
    const endpoint = this.#endpoint(ref);
    try {
      const {items, revision, continueToken, remaining} = await endpoint.storage.list(query(endpoint, namespace, options));
      await endpoint.view.prepare(items);
      return {
        apiVersion: endpoint.version.apiVersion,
        kind: endpoint.type.listKind,
        metadata: {
          resourceVersion: String(revision),
          ...(continueToken === undefined ? {} : {continue: continueToken}),
          ...(remaining === undefined ? {} : {remainingItemCount: remaining}),
        },
        items: items.map((item) => cloneJson(endpoint.view.see(item).object())),
      };
    } catch (error) {
      throw toStatusError(error, errorTarget(endpoint, ''));
    }
  }

  watch(ref: ResourceRef, namespace: string, options: ListOptions & {signal: AbortSignal}): AsyncIterable<WatchEvent> {
    const endpoint = this.#endpoint(ref);
    const {freshness: _freshness, limit: _limit, continueToken: _token, ...selection} = query(endpoint, namespace, options);
    return watchEvents(endpoint, selection, options.resourceVersion, options.signal);
  }

  async create(ref: ResourceRef, namespace: string, object: ApiObject): Promise<ApiObject> {
    const endpoint = this.#endpoint(ref);
    const context = this.#context();
    const {result} = await createObject(endpoint, namespace, '', decoded(endpoint, object, context), context);
    return cloneJson(result.object());
  }

  async update(ref: ResourceRef, namespace: string, object: ApiObject, subresource = ''): Promise<ApiObject> {
    const endpoint = this.#endpoint(ref);
    const context = this.#context();
    const target = {namespace, name: object.metadata.name ?? '', subresource};
    const compute = () => {
      const wanted = decoded(endpoint, object, context);
      requireVersion(endpoint, wanted);
      return wanted;
    };
    const {result} = await updateObject(endpoint, target, {uid: object.metadata.uid, compute}, context);
    return cloneJson(result.object());
  }

  async patch(ref: ResourceRef, namespace: string, name: string, patch: object, subresource = ''): Promise<ApiObject> {
    const endpoint = this.#endpoint(ref);
    const found = subresource === '' ? undefined : endpoint.version.subresource(subresource);
    const view = viewOf(endpoint, found);
    const shape = found?.hasOwnKind ? {kind: found.kind, schema: found.schema} : endpoint.version;
    const request = {mediaType: 'application/merge-patch+json', body: {value: patch, duplicates: []}, shape, view};
    const {result} = await patchObject(endpoint, {namespace, name, subresource}, request, this.#context());
    return cloneJson(view.show(result).object());
  }

  async delete(ref: ResourceRef, namespace: string, name: string, options: DeleteCallOptions = {}): Promise<void> {
    await deleteObject(this.#endpoint(ref), {namespace, name}, deleteOptions(options), this.#context());
  }

  async deleteCollection(ref: ResourceRef, namespace: string, options: ListOptions & DeleteCallOptions = {}): Promise<void> {
    const endpoint = this.#endpoint(ref);
    try {
      await deleteCollection(endpoint, query(endpoint, namespace, options), deleteOptions(options), this.#context());
    } catch (error) {
      throw toStatusError(error, errorTarget(endpoint, ''));
    }
  }

  resources(): readonly ServedResource[] {
    return this.#registry()
      .catalog.groups()
      .flatMap(({versions}) => versions.flatMap(({types}) => types))
      .map(({type, name}) => ({
        group: type.group,
        version: name,
        resource: type.plural,
        kind: type.kind,
        namespaced: type.namespaced,
        verbs: type.verbs,
      }));
  }

  #registry(): Registry {
    const registry = this.registry();
    if (!registry) throw internalError('objects can be used from start on, not in constructors');
    return registry;
  }

  /** Types may be named in the neutral form or as they are served: `resources()` answers the latter. */
  #endpoint(ref: ResourceRef): Endpoint {
    const registry = this.#registry();
    const version =
      registry.catalog.find(this.naming.group(ref.group), ref.version, ref.resource) ??
      registry.catalog.find(ref.group, ref.version, ref.resource);
    if (!version) throw pathNotFound();
    return registry.endpoint(version);
  }

  #context(): WriteContext {
    return {
      user: this.user,
      dryRun: false,
      fieldManager: this.user.username,
      fieldValidation: 'Strict',
      options: {},
      warn: () => undefined,
      annotate: () => undefined,
    };
  }
}

function decoded(endpoint: Endpoint, object: ApiObject, context: WriteContext): ApiObject {
  const value = cloneJson(object as unknown as JsonValue);
  return decodeObject({value, duplicates: []}, endpoint.version, context);
}

function readFreshness(resourceVersion: string | undefined): Freshness {
  if (!resourceVersion) return 'recent';
  return resourceVersion === '0' ? 'any' : {atLeast: Number(resourceVersion)};
}

function query({view}: Endpoint, namespace: string, options: ListOptions): ListQuery {
  return {
    ...(view.isRemote ? {view} : {}),
    ...(namespace ? {namespace} : {}),
    ...(options.labelSelector ? {labelSelector: parseLabelSelector(options.labelSelector)} : {}),
    ...(options.fieldSelector ? {fieldSelector: parseFieldSelector(options.fieldSelector)} : {}),
    ...(options.limit === undefined ? {} : {limit: options.limit}),
    ...(options.continue === undefined ? {} : {continueToken: options.continue}),
    freshness: readFreshness(options.resourceVersion),
  };
}

function deleteOptions({gracePeriodSeconds, propagationPolicy, uid, resourceVersion}: DeleteCallOptions): DeleteOptions {
  const preconditions = {...(uid === undefined ? {} : {uid}), ...(resourceVersion === undefined ? {} : {resourceVersion})};
  return {
    ...(gracePeriodSeconds === undefined ? {} : {gracePeriodSeconds}),
    ...(propagationPolicy === undefined ? {} : {propagationPolicy}),
    preconditions,
    dryRun: false,
  };
}
