import {
  CooperativeScheduler,
  pathNotFound,
  type ApiList,
  type ApiObject,
  type ApplyCallOptions,
  type Clock,
  type CreateCallOptions,
  type DeleteCallOptions,
  type GetCallOptions,
  type JsonValue,
  type ListOptions,
  type NamingProfile,
  type PatchCallOptions,
  type ResourceClient,
  type ResourceRef,
  type Scheduler,
  type ServedResource,
  type UserInfo,
  type WatchEvent,
  type WriteCallOptions,
} from '../../../sdk/index.js';
import {cloneJson} from '../../api/json/clone-json.js';
import type {AuditLog} from '../audit/audit-log.js';
import {listMetadata} from '../read/list-metadata.js';
import {RequestTask} from '../request-task.js';
import type {Registry} from '../registry.js';
import type {BodySource, WriteContext} from '../request-context.js';
import type {ObjectKey, Resource} from '../resource.js';
import type {ResultObject} from '../result-object.js';
import type {DeleteOptions} from '../write/delete-options.js';
import type {WriteGuard} from '../../storage/write/write-guard.js';
import {localAttributes, type LocalAccess} from './local-access.js';
import {recordedWrite, type LocalWrite} from './recorded-write.js';
import {watchEvents} from './local-watch.js';
import {checkedOptions, supportedPatch, type CheckedOptions} from './write-options.js';

export interface LocalClientOptions {
  readonly registry: Registry;
  /** Records its writes. */
  readonly audit?: AuditLog | undefined;
  readonly clock?: Clock;
  /** By default a new one. */
  readonly scheduler?: Scheduler;
  /** Condition of its writes. */
  readonly guard?: WriteGuard;
  /** Owner of the fields that it writes; its user by default. */
  readonly fieldManager?: string;
  /** Decides what its user may do; without it, everything. */
  readonly access?: LocalAccess;
  /** Called with all work that belongs to the server: it must not be taken for the caller's own. */
  readonly outside?: <T>(work: () => T) => T;
}

/**
 * The in-process client: the operations of HTTP requests without HTTP, under a user name that managed fields and admission see.
 * The user is authorized only if there is `access`: plugins are part of the server.
 */
export class LocalClient implements ResourceClient {
  readonly clock?: Clock;
  readonly scheduler: Scheduler;
  readonly #circumstances: Omit<WriteContext, 'task'>;

  readonly #registry: Registry;
  readonly #naming: NamingProfile;
  readonly #audit: AuditLog | undefined;
  readonly #access: LocalAccess | undefined;
  readonly #outside: <T>(work: () => T) => T;

  constructor(user: UserInfo, naming: NamingProfile, options: LocalClientOptions) {
    const {registry, audit, guard, fieldManager, access, outside = (work) => work()} = options;
    if (options.clock) this.clock = options.clock;
    this.scheduler = options.scheduler ?? new CooperativeScheduler();
    this.#outside = outside;
    this.#access = access;
    this.#registry = registry;
    this.#naming = naming;
    this.#audit = audit;

    this.#circumstances = {
      user,
      dryRun: false,
      fieldManager: fieldManager ?? user.username,
      guard,
      fieldValidation: 'Strict',
      given: {},
      warn: () => undefined,
      annotate: () => undefined,
    };
  }

  async get(ref: ResourceRef, namespace: string, name: string, options: GetCallOptions = {}): Promise<ApiObject> {
    const resource = this.#resource(ref, options.subresource);
    await this.#allowed('get', resource, {namespace, name});
    const found = await this.#outside(() => resource.get({namespace, name}, options.resourceVersion, this.#context()));
    return cloneJson(found.object());
  }

  async list(ref: ResourceRef, namespace: string, options: ListOptions = {}): Promise<ApiList> {
    const resource = this.#resource(ref);
    const {version, type, view} = resource.served;
    await this.#allowed('list', resource, {namespace, name: ''});
    const list = await this.#outside(() => resource.list(namespace, options, {...this.#context(), ...queryOf(resource, options)}));
    const head = {apiVersion: version.apiVersion, kind: type.listKind};
    if (list.made) return {...head, metadata: {resourceVersion: ''}, items: list.made.map((object) => cloneJson(object))};
    await view.prepare(list.items);
    return {...head, metadata: listMetadata(list), items: list.items.map((item) => cloneJson(view.convertedNow(item).object()))};
  }

  watch(ref: ResourceRef, namespace: string, options: ListOptions & {signal: AbortSignal}): AsyncIterable<WatchEvent> {
    const resource = this.#resource(ref);
    const events = () => watchEvents(resource, namespace, options, options.signal, this.#outside);
    return this.#access === undefined ? events() : this.#watchIfAllowed(resource, namespace, events);
  }

  async check(ref: ResourceRef, namespace: string, object: ApiObject): Promise<ApiObject> {
    const resource = this.#resource(ref);
    const {result} = await this.#outside(() => resource.check(namespace, bodyOf(resource, object), this.#context()));
    return cloneJson(result.object());
  }

  async create(ref: ResourceRef, namespace: string, object: ApiObject, options: CreateCallOptions = {}): Promise<ApiObject> {
    const {name = '', subresource} = options.on ?? {};
    const resource = this.#resource(ref, subresource);
    const key = {namespace, name};
    const write = {
      verb: 'create',
      resource,
      key,
      body: object,
      options: checkedOptions('CreateOptions', options, resource.served),
    } as const;
    const {result, status} = await this.#write(write, (context) => resource.create(key, bodyOf(resource, object), context));
    return cloneJson(status ? (status as unknown as ApiObject) : result.object());
  }

  async update(
    ref: ResourceRef,
    namespace: string,
    object: ApiObject,
    subresource = '',
    options: WriteCallOptions = {},
  ): Promise<ApiObject> {
    const key = {namespace, name: object.metadata.name ?? ''};
    const resource = this.#resource(ref, subresource);
    const write = {
      verb: 'update',
      resource,
      key,
      body: object,
      options: checkedOptions('UpdateOptions', options, resource.served),
    } as const;
    const {result} = await this.#write(write, (context) =>
      resource.update(key, bodyOf(resource, object), context, () => this.#allowed('create', resource, key)),
    );
    return cloneJson(result.object());
  }

  async patch(
    ref: ResourceRef,
    namespace: string,
    name: string,
    patch: object,
    subresource = '',
    options: PatchCallOptions = {},
  ): Promise<ApiObject> {
    const resource = this.#resource(ref, subresource);
    const mediaType = supportedPatch(options.form ?? 'merge', resource.served.version);
    const body = {value: cloneJson(patch), duplicates: []};
    const key = {namespace, name};
    const write = {verb: 'patch', resource, key, body: patch, options: checkedOptions('PatchOptions', options, resource.served)} as const;
    const {result} = await this.#write(write, (context) => resource.patch(key, mediaType, body, context));
    return cloneJson(result.object());
  }

  async apply(ref: ResourceRef, namespace: string, object: ApiObject, options: ApplyCallOptions, subresource = ''): Promise<ApiObject> {
    const {force = false} = options;
    const resource = this.#resource(ref, subresource);
    const whole = completed(resource, cloneJson(object));
    const key = {namespace, name: object.metadata.name ?? ''};
    const write = {
      verb: 'patch',
      resource,
      key,
      body: whole,
      options: checkedOptions('PatchOptions', options, resource.served, {force}),
    } as const;
    const body = {value: whole, duplicates: []};
    const {result} = await this.#write(write, (context) =>
      resource.apply(key, body, force, context, () => this.#allowed('create', resource, key)),
    );
    return cloneJson(result.object());
  }

  async delete(ref: ResourceRef, namespace: string, name: string, options: DeleteCallOptions = {}): Promise<void> {
    const resource = this.#resource(ref);
    const key = {namespace, name};
    await this.#write({verb: 'delete', resource, key}, (context) => resource.delete(key, deleteOptions(options), context));
  }

  async deleteCollection(ref: ResourceRef, namespace: string, options: ListOptions & DeleteCallOptions = {}): Promise<void> {
    const {resourceVersion: _precondition, ...deletion} = options;
    const resource = this.#resource(ref);
    await this.#write({verb: 'deletecollection', resource, key: {namespace, name: ''}}, async (context) => {
      await resource.deleteCollection(namespace, options, deleteOptions(deletion), context);
      return {};
    });
  }

  resources(): readonly ServedResource[] {
    return this.#registry.catalog
      .ownGroups()
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

  #context(options: CheckedOptions = {}): WriteContext {
    return {...this.#circumstances, ...options, task: new RequestTask(this.scheduler.task('request', this.#circumstances.user.username))};
  }

  /** Most decisions are synchronous: the caller awaits only a returned promise. */
  #allowed(verb: string, resource: Resource, key: ObjectKey): Promise<void> | void {
    return this.#access?.require(localAttributes(this.#circumstances.user, verb, resource, key));
  }

  async *#watchIfAllowed(resource: Resource, namespace: string, events: () => AsyncIterable<WatchEvent>): AsyncGenerator<WatchEvent> {
    await this.#allowed('watch', resource, {namespace, name: ''});
    yield* events();
  }

  #write<T extends {readonly result?: ResultObject; readonly created?: boolean}>(
    {options, body, ...write}: LocalCall,
    operation: (context: WriteContext) => Promise<T>,
  ): Promise<T> {
    const audit = this.#audit;
    const {verb, resource, key} = write;
    const {activity} = this.scheduler;
    const work = async (context: WriteContext) => {
      activity?.begin();
      try {
        // The name of a new object is not part of the question.
        await this.#allowed(verb, resource, verb === 'create' && !resource.subresource ? {...key, name: ''} : key);
        return await operation(context);
      } finally {
        activity?.end();
      }
    };
    if (!audit?.isRecording) return this.#outside(() => work(this.#context(options)));
    const given = body === undefined ? {} : {body: body as JsonValue};
    const recorded = {...write, user: this.#circumstances.user, ...given};
    return this.#outside(() => recordedWrite(audit, recorded, this.#context(options), work));
  }

  /** Types may be named in the neutral form or as they are served; `resources()` returns the latter. */
  #resource(ref: ResourceRef, subresource = ''): Resource {
    const registry = this.#registry;
    const version =
      registry.catalog.find(this.#naming.group(ref.group), ref.version, ref.resource) ??
      registry.catalog.find(ref.group, ref.version, ref.resource);
    const resource = version && registry.resource(version, subresource);
    if (!resource) throw pathNotFound();
    return resource;
  }
}

/** Handlers of types without stored objects read the selectors themselves. */
function queryOf({handler}: Resource, {labelSelector, fieldSelector}: ListOptions): {query?: URLSearchParams} {
  if (!handler) return {};
  const given = Object.entries({labelSelector, fieldSelector}).filter(([, value]) => value !== undefined) as [string, string][];
  return {query: new URLSearchParams(given)};
}

/** A call that writes. */
interface LocalCall extends Omit<LocalWrite, 'user' | 'body'> {
  readonly body?: object;
  readonly options?: CheckedOptions;
}

function bodyOf(resource: Resource, object: ApiObject): BodySource {
  // oxlint-disable-next-line require-yield -- it is a copy of an object already
  return function* () {
    return {value: completed(resource, cloneJson(object)), duplicates: []};
  };
}

/** With `apiVersion` and `kind`, as the clients of `@orch-api/orch/client` complete it: subresources may have a kind of their own. */
function completed({subresource, served: {type, version}}: Resource, object: ApiObject): ApiObject {
  if (!subresource && typeof object === 'object' && object !== null) {
    object.apiVersion ??= version.apiVersion;
    object.kind ??= type.kind;
  }
  return object;
}

/** @param options of the contract; built-in plugins may skip admission, as Kubernetes does for objects that are deleted with their type */
function deleteOptions(options: DeleteCallOptions & {readonly withoutAdmission?: boolean}): DeleteOptions {
  const {dryRun = false, gracePeriodSeconds, propagationPolicy, uid, resourceVersion, withoutAdmission = false} = options;
  const preconditions = {...(uid === undefined ? {} : {uid}), ...(resourceVersion === undefined ? {} : {resourceVersion})};
  return {
    ...(gracePeriodSeconds === undefined ? {} : {gracePeriodSeconds}),
    ...(propagationPolicy === undefined ? {} : {propagationPolicy}),
    preconditions,
    dryRun,
    ...(withoutAdmission ? {withoutAdmission} : {}),
  };
}
