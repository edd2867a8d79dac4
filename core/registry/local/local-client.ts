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
} from '../../../sdk/index.js';
import {cloneJson} from '../../api/json/clone-json.js';
import {parseFieldSelector} from '../../api/selectors/field-selector.js';
import {parseLabelSelector} from '../../api/selectors/label-selector.js';
import type {ListQuery, Freshness} from '../../storage/read/list-query.js';
import {createObject} from '../write/create-object.js';
import {decodeObject} from '../write/decode-object.js';
import {deleteCollection} from '../write/delete-collection.js';
import {deleteObject} from '../write/delete-object.js';
import type {DeleteOptions} from '../write/delete-options.js';
import {errorTarget, type ServedVersion} from '../served-version.js';
import {watchEvents} from './local-watch.js';
import {patchObject} from '../write/patch-object.js';
import type {Registry} from '../registry.js';
import {toStatusError} from '../store-errors.js';
import {viewOf} from '../views/subresource-view.js';
import {requireVersion, updateObject} from '../write/update-object.js';
import type {WriteContext} from '../write/write-context.js';

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
    const served = this.#find(ref);
    try {
      const cached = await served.storage.get(namespace, name, readFreshness(options.resourceVersion));
      if (!cached) throw notFound(errorTarget(served, name));
      return cloneJson((await served.view.converted(cached)).object());
    } catch (error) {
      throw toStatusError(error, errorTarget(served, name));
    }
  }

  async list(ref: ResourceRef, namespace: string, options: ListOptions = {}): Promise<ApiList> {
    const served = this.#find(ref);
    try {
      const {items, revision, continueToken, remaining} = await served.storage.list(query(served, namespace, options));
      await served.view.prepare(items);
      return {
        apiVersion: served.version.apiVersion,
        kind: served.type.listKind,
        metadata: {
          resourceVersion: String(revision),
          ...(continueToken === undefined ? {} : {continue: continueToken}),
          ...(remaining === undefined ? {} : {remainingItemCount: remaining}),
        },
        items: items.map((item) => cloneJson(served.view.convertedNow(item).object())),
      };
    } catch (error) {
      throw toStatusError(error, errorTarget(served, ''));
    }
  }

  watch(ref: ResourceRef, namespace: string, options: ListOptions & {signal: AbortSignal}): AsyncIterable<WatchEvent> {
    const served = this.#find(ref);
    const {freshness: _freshness, limit: _limit, continueToken: _token, ...selection} = query(served, namespace, options);
    return watchEvents(served, selection, options.resourceVersion, options.signal);
  }

  async create(ref: ResourceRef, namespace: string, object: ApiObject): Promise<ApiObject> {
    const served = this.#find(ref);
    const context = this.#context();
    const {result} = await createObject(served, namespace, '', decoded(served, object, context), context);
    return cloneJson(result.object());
  }

  async update(ref: ResourceRef, namespace: string, object: ApiObject, subresource = ''): Promise<ApiObject> {
    const served = this.#find(ref);
    const context = this.#context();
    const target = {namespace, name: object.metadata.name ?? '', subresource};
    const compute = () => {
      const wanted = decoded(served, object, context);
      requireVersion(served, wanted);
      return wanted;
    };
    const {result} = await updateObject(served, target, {uid: object.metadata.uid, compute}, context);
    return cloneJson(result.object());
  }

  async patch(ref: ResourceRef, namespace: string, name: string, patch: object, subresource = ''): Promise<ApiObject> {
    const served = this.#find(ref);
    const found = subresource === '' ? undefined : served.version.subresource(subresource);
    const view = viewOf(served, found);
    const shape = found?.hasOwnKind ? {kind: found.kind, schema: found.schema} : served.version;
    const request = {mediaType: 'application/merge-patch+json', body: {value: patch, duplicates: []}, shape, view};
    const {result} = await patchObject(served, {namespace, name, subresource}, request, this.#context());
    return cloneJson(view.show(result).object());
  }

  async delete(ref: ResourceRef, namespace: string, name: string, options: DeleteCallOptions = {}): Promise<void> {
    await deleteObject(this.#find(ref), {namespace, name}, deleteOptions(options), this.#context());
  }

  async deleteCollection(ref: ResourceRef, namespace: string, options: ListOptions & DeleteCallOptions = {}): Promise<void> {
    const served = this.#find(ref);
    try {
      await deleteCollection(served, query(served, namespace, options), deleteOptions(options), this.#context());
    } catch (error) {
      throw toStatusError(error, errorTarget(served, ''));
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
  #find(ref: ResourceRef): ServedVersion {
    const registry = this.#registry();
    const version =
      registry.catalog.find(this.naming.group(ref.group), ref.version, ref.resource) ??
      registry.catalog.find(ref.group, ref.version, ref.resource);
    if (!version) throw pathNotFound();
    return registry.served(version);
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

function decoded(served: ServedVersion, object: ApiObject, context: WriteContext): ApiObject {
  const value = cloneJson(object as unknown as JsonValue);
  return decodeObject({value, duplicates: []}, served.version, context);
}

function readFreshness(resourceVersion: string | undefined): Freshness {
  if (!resourceVersion) return 'recent';
  return resourceVersion === '0' ? 'any' : {atLeast: Number(resourceVersion)};
}

function query({view}: ServedVersion, namespace: string, options: ListOptions): ListQuery {
  return {
    ...(view.convertsOutOfProcess ? {view} : {}),
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
