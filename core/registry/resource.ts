import {badRequest, methodNotAllowed, notFound, type ApiObject, type VirtualRequest, type VirtualResource} from '../../sdk/index.js';
import type {ResourceTypeVersion, Subresource} from '../api/types/resource-type.js';
import type {CachedObject} from '../storage/cache/cached-object.js';
import type {ListResult} from '../storage/read/list-query.js';
import type {FrameEncoder} from '../storage/watch/frame-encoder.js';
import type {WatchHandle, WatchSink} from '../storage/watch/watch-query.js';
import {getFreshness, listQuery, watchSelection, type ListRequest} from './read/list-request.js';
import {storeReadError} from './read/store-read-error.js';
import type {BodySource, DecodedBody, RequestContext, WriteContext} from './request-context.js';
import {transientObject, type DeleteResult, type ResultObject, type WriteResult} from './result-object.js';
import {errorTarget, type ObjectTarget, type ServedVersion} from './served-version.js';
import {toStatusError} from './store-errors.js';
import {viewOf, type SubresourceView} from './subresources/subresource-view.js';
import {applyObject} from './write/apply.js';
import type {ConnectionTarget} from './write/connection-options.js';
import {CheckedObject, unadmitted} from './write/checked-object.js';
import {readObject, type DecodeTarget} from './write/decode-object.js';
import type {DeleteOptions} from './write/delete-options.js';
import {deleteObject, deleteObjects} from './write/delete.js';
import {deleteUnreadable} from './write/delete-unreadable.js';
import {NewObject} from './write/new-object.js';
import type {MayCreate} from './write/changed-object.js';
import {Connection, Operation, virtualRequest} from './write/operation.js';
import {patchObject} from './write/patch.js';
import {runWrite} from './write/pipeline.js';
import {updateObject} from './write/update.js';
import {settableOf} from './write/writable-fields.js';
import {writeScope} from './write/write-scope.js';

/** The name of an object. The namespace is empty for cluster-scoped types; the name is empty if the request is about a collection. */
export interface ObjectKey {
  readonly namespace: string;
  readonly name: string;
}

/** The objects that a list returns: stored objects, or those that a plugin's handler creates. */
export type ObjectList = (ListResult & {readonly made?: undefined}) | {readonly made: readonly ApiObject[]};

/** A watch requested by a client. */
export interface WatchRequest extends ListRequest {
  /** Of one object only. */
  readonly name?: string;
  readonly encoder: FrameEncoder;
}

/** Bodies of a subresource that has a kind of its own. */
export interface SubresourceShape extends Required<Pick<DecodeTarget, 'kind' | 'schema' | 'acceptedVersions'>> {
  readonly type?: undefined;
}

/**
 * The operations on the objects of one version of a type, or on one of their subresources: one operation for each verb. HTTP requests and
 * code inside the process both call them. Authorization has already happened.
 *
 * All methods fail with a `StatusError` worded for clients. Reads that answer synchronously throw instead of rejecting.
 */
export class Resource {
  /** The kind of bodies and responses: that of the type, or of the subresource. */
  readonly shape: ResourceTypeVersion | SubresourceShape;
  readonly #view: SubresourceView;

  constructor(
    readonly served: ServedVersion,
    /** Undefined for the objects themselves. */
    readonly subresource: Subresource | undefined,
  ) {
    this.#view = viewOf(served, subresource);
    this.shape = subresource?.hasOwnKind ? shapeOf(subresource) : served.version;
  }

  /** The plugin's handler that serves the resource; undefined if its objects are stored. Reading this may load code. */
  get handler(): VirtualResource | undefined {
    return this.subresource ? this.subresource.handler : this.served.type.handler;
  }

  /** @throws 400, 404, 504 */
  get(key: ObjectKey, resourceVersion: string | undefined, context: RequestContext): ResultObject | Promise<ResultObject> {
    const {handler} = this;
    if (handler) return this.#made(handler, key, context);
    return this.#inWordsOfClients(key.name, () => {
      const {namespace, name} = this.#target(key);
      const found = this.served.storage.get(namespace, name, getFreshness(resourceVersion));
      return found instanceof Promise ? found.then((cached) => this.#shown(key, cached)) : this.#shown(key, found);
    });
  }

  /**
   * @param namespace empty for all namespaces
   * @throws 400, 410, 422, 504
   */
  list(namespace: string, request: ListRequest, context: RequestContext): ObjectList | Promise<ObjectList> {
    const {handler} = this;
    if (handler) return this.#allMade(handler, {namespace, name: ''}, context);
    return this.#inWordsOfClients('', () => this.served.storage.list(listQuery(this.served, namespace, request)));
  }

  /**
   * Validates a watch request and returns a function that starts the watch.
   *
   * @throws 400, 422; the function throws 410, 504
   */
  watch(namespace: string, request: WatchRequest): (sink: WatchSink) => WatchHandle | Promise<WatchHandle> {
    this.#requireStored('watch');
    const {name, encoder, allowWatchBookmarks: bookmarks = false} = request;
    const {storage} = this.served;
    // From now on, the type may have a different definition.
    const {renewals} = storage;
    const {marksEnd, ...selection} = watchSelection(this.served, namespace, request);
    const selected = selection.fieldSelector?.exactValue('metadata.name');
    if (name && selection.fieldSelector && selected !== name) throw badRequest("fieldSelector metadata.name doesn't match requested name");
    const query = {...selection, ...(name ? {name} : {}), bookmarks, initialEventsEnd: marksEnd && bookmarks, encoder};
    return (sink) => this.#inWordsOfClients('', () => storage.watch(query, sink, renewals));
  }

  /**
   * Creates an object. For a virtual type or subresource: carries out the operation that the object represents.
   *
   * @param key name of the parent object for a subresource; otherwise the body contains the name
   * @throws 400, 403 (admission), 405, 409 `AlreadyExists`, 413, 422, 503
   */
  create(key: ObjectKey, body: BodySource, context: WriteContext): Promise<WriteResult> {
    const {served, shape, handler} = this;
    const target = this.#target(key);
    if (!handler) {
      const settable = shape === served.version ? settableOf(served, target) : undefined;
      const wanted = () => readObject(body, shape, context, settable);
      return runWrite(new NewObject(writeScope(served, {...target, name: ''}, context), wanted), served.admission);
    }
    if (!handler.create) throw methodNotAllowed(errorTarget(served, key.name), 'create');
    return runWrite(new Operation(writeScope(served, target, context), handler, shape, body), served.admission);
  }

  /**
   * The object as it would be stored if it were created: decoded, with its defaults, validated. It is not admitted, and nothing is stored. Strategies see the verb `validate`.
   *
   * @throws 400, 422
   */
  check(namespace: string, body: BodySource, context: WriteContext): Promise<WriteResult> {
    const {served, shape} = this;
    const wanted = () => readObject(body, shape, context);
    const scope = writeScope(served, {...this.#target({namespace, name: ''}), name: ''}, {...context, verb: 'validate'});
    return runWrite(new CheckedObject(scope, wanted), unadmitted);
  }

  /**
   * Replaces an object, or the part of it that a subresource shows.
   *
   * @param mayCreate lets a missing object be created, if the type allows that
   * @throws 400, 403 (admission), 404, 409, 413, 422, 503
   */
  async update(key: ObjectKey, body: BodySource, context: WriteContext, mayCreate?: MayCreate): Promise<WriteResult> {
    const {served, subresource} = this;
    if (this.handler && !this.#isOfHandler) return this.create(key, body, context);
    const shape = this.#isOfHandler ? served.version : this.shape;
    const isAllowed = served.type.behaviour.createOnUpdate && !subresource;
    const update = {body, shape, view: this.#view, mayCreate: isAllowed ? mayCreate : undefined};
    return this.#answer(await updateObject(served, this.#target(key), update, context));
  }

  /**
   * Patches an object, or the part of it that a subresource shows.
   *
   * @param mediaType of a JSON patch, merge patch or strategic merge patch
   * @throws 400, 403 (admission), 404, 405, 409, 413, 415, 422, 503
   */
  async patch(key: ObjectKey, mediaType: string, body: DecodedBody, context: WriteContext): Promise<WriteResult> {
    this.#requireStored('patch');
    const {served, shape} = this;
    return this.#answer(await patchObject(served, this.#target(key), {mediaType, body, shape, view: this.#view}, context));
  }

  /**
   * Server-side apply. `context.fieldManager` is the applier.
   *
   * @param force takes ownership of fields that others own
   * @param mayCreate as for `update`
   * @throws 400, 403 (admission), 404, 409 `Conflict` (fields of others, or another version), 413, 422, 503
   */
  async apply(key: ObjectKey, body: DecodedBody, force: boolean, context: WriteContext, mayCreate?: MayCreate): Promise<WriteResult> {
    this.#requireStored('patch');
    const {served, shape, subresource} = this;
    const request = {body, shape, force, mayCreate: subresource ? undefined : mayCreate};
    return this.#answer(await applyObject(served, this.#target(key), request, context));
  }

  /** Deletes an object, or marks it as terminating. @throws 403 (admission), 404, 409 (preconditions), 503 */
  async delete(key: ObjectKey, options: DeleteOptions, context: WriteContext): Promise<DeleteResult> {
    this.#requireStored('delete');
    this.#warnOfDefault(options, context);
    return deleteObject(this.served, this.#target(key), options, {...context, dryRun: context.dryRun || options.dryRun});
  }

  /** Takes an object out of the store that cannot be read. @throws 422 if it can, 503 */
  async deleteUnreadable(key: ObjectKey, context: WriteContext): Promise<void> {
    this.#requireStored('delete');
    await deleteUnreadable(this.served, this.#target(key), context);
  }

  /**
   * Deletes the objects that a list would return.
   *
   * @returns the list, so that a caller with a limit can continue after it
   * @throws as `list` and `delete`; objects deleted by then stay deleted
   */
  async deleteCollection(namespace: string, request: ListRequest, options: DeleteOptions, context: WriteContext): Promise<ListResult> {
    this.#requireStored('deletecollection');
    const {served} = this;
    const dryRun = context.dryRun || options.dryRun;
    return this.#inWordsOfClients('', () => {
      const query = listQuery(served, namespace, request);
      this.#warnOfDefault(options, context);
      return deleteObjects(served, query, options, {...context, dryRun});
    });
  }

  /**
   * Passes the connection of a request to the plugin's handler.
   *
   * @param path the rest of the path after the subresource
   * @param serve takes over the connection, once admitted
   * @throws 400, 403 (admission)
   */
  async connect(
    key: ObjectKey,
    path: string,
    context: WriteContext,
    serve: (handler: VirtualResource, request: VirtualRequest, path: string) => void | Promise<void>,
  ): Promise<void> {
    const {served, shape, subresource} = this;
    const target = this.#target(key);
    const take = ({query, path: rest}: ConnectionTarget) => serve(this.handler!, {...virtualRequest(served, target, context), query}, rest);
    // A connection without options is a long-running read (logs), and reads are not admitted.
    if (!subresource?.hasOwnKind) return take({query: context.query ?? new URLSearchParams(), path});
    if (context.dryRun) throw badRequest('dryRun is not supported');
    await runWrite(new Connection(writeScope(served, target, context), shape, path, take), served.admission);
  }

  /**
   * Whether a handler is in front of stored objects, and the subresource decides which fields may be written: the handler changes the
   * objects through `update`, with the whole object. HTTP requests reach only the handler.
   */
  get #isOfHandler(): boolean {
    return this.subresource?.definition.writes !== undefined && this.handler !== undefined;
  }

  /** @throws 405 if a handler serves everything, so that there are no stored objects */
  #requireStored(verb: string): void {
    if (this.handler) throw methodNotAllowed(errorTarget(this.served, ''), verb);
  }

  /** Whether there is something to delete or not, as in Kubernetes. */
  #warnOfDefault({propagationPolicy}: DeleteOptions, {warn}: WriteContext): void {
    const {defaultDeleteWarning} = this.served.type.behaviour;
    if (defaultDeleteWarning !== undefined && propagationPolicy === undefined) warn(defaultDeleteWarning);
  }

  #target({namespace, name}: ObjectKey): ObjectTarget {
    return {namespace: this.served.type.namespaced ? namespace : '', name, subresource: this.subresource?.name ?? ''};
  }

  #answer(written: WriteResult): WriteResult {
    return {...written, result: this.#view.show(written.result)};
  }

  #shown({name}: ObjectKey, cached: CachedObject | undefined): ResultObject | Promise<ResultObject> {
    const {served} = this;
    if (!cached) throw notFound(errorTarget(served, name));
    const converted = served.view.converted(cached);
    return converted instanceof Promise ? converted.then((object) => this.#view.show(object)) : this.#view.show(converted);
  }

  async #made(handler: VirtualResource, key: ObjectKey, context: RequestContext): Promise<ResultObject> {
    if (!handler.get) throw methodNotAllowed(errorTarget(this.served, key.name), 'get');
    return transientObject(await handler.get(virtualRequest(this.served, this.#target(key), context)));
  }

  async #allMade(handler: VirtualResource, key: ObjectKey, context: RequestContext): Promise<ObjectList> {
    if (!handler.list) throw methodNotAllowed(errorTarget(this.served, ''), 'list');
    return {made: await handler.list(virtualRequest(this.served, this.#target(key), context))};
  }

  /** Translates errors of stores and storage. */
  #inWordsOfClients<T>(name: string, read: () => T | Promise<T>): T | Promise<T> {
    try {
      const found = read();
      return found instanceof Promise ? found.catch((error: unknown) => this.#fail(name, error)) : found;
    } catch (error) {
      return this.#fail(name, error);
    }
  }

  #fail(name: string, error: unknown): never {
    throw toStatusError(name === '' ? storeReadError(error, this.served) : error, errorTarget(this.served, name));
  }
}

/** The schema is resolved on first use. */
function shapeOf(subresource: Subresource): SubresourceShape {
  return {
    kind: subresource.kind,
    get schema() {
      return subresource.schema;
    },
    acceptedVersions: subresource.definition.acceptedVersions ?? [],
  };
}
