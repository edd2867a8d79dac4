import type {
  ApplyCallOptions,
  CreateCallOptions,
  DeleteCallOptions,
  GetCallOptions,
  ListOptions,
  PatchCallOptions,
  ResourceClient,
  ResourceRef,
  ServedResource,
  WriteCallOptions,
} from '../../contracts/resource-client.js';
import type {ApiList, ApiObject, WatchEvent} from '../../objects/api-object.js';
import {customType, type Client} from '../client.js';
import {spelledGroup} from '../platform.js';
import type {ResourceApi} from '../resource-api.js';

interface Discovered {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/** The client that controllers have inside a server, over a connection to one. */
export class ClientResources implements ResourceClient {
  readonly #client: Client;
  readonly #served: readonly ServedResource[];
  readonly #beforeWrite: () => void;

  private constructor(client: Client, served: readonly ServedResource[], beforeWrite: () => void) {
    this.#client = client;
    this.#served = served;
    this.#beforeWrite = beforeWrite;
  }

  /**
   * Asks the server for the types that it serves. Types that are added later are found by `get` and the like, but are not in `resources()`.
   *
   * @param beforeWrite called before each write; one that throws keeps it from being sent
   * @throws StatusError, ConnectionError
   */
  static async open(client: Client, beforeWrite: () => void = () => undefined): Promise<ClientResources> {
    const {groups} = await client.getJson<{groups: {name: string; versions: {groupVersion: string; version: string}[]}[]}>('/apis');
    const versions = [
      {group: '', version: 'v1', path: '/api/v1'},
      ...groups.flatMap(({name, versions: all}) =>
        all.map(({groupVersion, version}) => ({group: name, version, path: `/apis/${groupVersion}`})),
      ),
    ];
    const served = await Promise.all(
      versions.map(async ({group, version, path}) => {
        const {resources} = await client.getJson<{resources: Discovered[]}>(path);
        return resources
          .filter(({name}) => !name.includes('/'))
          .map(({name, kind, namespaced, verbs}) => ({group, version, resource: name, kind, namespaced, verbs}));
      }),
    );
    return new ClientResources(client, served.flat(), beforeWrite);
  }

  async get(ref: ResourceRef, namespace: string, name: string, options: GetCallOptions = {}): Promise<ApiObject> {
    const {subresource = '', ...rest} = options;
    const api = this.#api(ref, namespace);
    return subresource === '' ? api.get(name, rest) : api.subresource(subresource).get(name);
  }

  async list(ref: ResourceRef, namespace: string, options: ListOptions = {}): Promise<ApiList> {
    return this.#api(ref, namespace).list(options);
  }

  watch(ref: ResourceRef, namespace: string, options: ListOptions & {signal: AbortSignal}): AsyncIterable<WatchEvent> {
    return this.#api(ref, namespace).watch(options) as AsyncIterable<WatchEvent>;
  }

  async create(ref: ResourceRef, namespace: string, object: ApiObject, options: CreateCallOptions = {}): Promise<ApiObject> {
    const {on, ...rest} = options;
    const api = this.#writable(ref, namespace);
    return on ? ((await api.subresource(on.subresource).create(on.name, object, rest)) as ApiObject) : api.create(object, rest);
  }

  async update(
    ref: ResourceRef,
    namespace: string,
    object: ApiObject,
    subresource = '',
    options: WriteCallOptions = {},
  ): Promise<ApiObject> {
    const api = this.#writable(ref, namespace);
    return subresource === ''
      ? api.update(object, options)
      : api.subresource(subresource).update(object.metadata.name ?? '', object, options);
  }

  async patch(
    ref: ResourceRef,
    namespace: string,
    name: string,
    patch: object,
    subresource = '',
    options: PatchCallOptions = {},
  ): Promise<ApiObject> {
    const {form = 'merge', ...rest} = options;
    const api = this.#writable(ref, namespace);
    // Which documents go with which form is for the caller to know: the server checks it.
    return subresource === ''
      ? api.patch(name, form, patch as never, rest)
      : api.subresource(subresource).patch(name, form, patch as never, rest);
  }

  async apply(ref: ResourceRef, namespace: string, object: ApiObject, options: ApplyCallOptions, subresource = ''): Promise<ApiObject> {
    const api = this.#writable(ref, namespace);
    return subresource === ''
      ? api.apply(object, options)
      : api.subresource(subresource).apply(object.metadata.name ?? '', object, options);
  }

  async delete(ref: ResourceRef, namespace: string, name: string, options: DeleteCallOptions = {}): Promise<void> {
    const {uid, resourceVersion, ...rest} = options;
    const preconditions = {...(uid === undefined ? {} : {uid}), ...(resourceVersion === undefined ? {} : {resourceVersion})};
    await this.#writable(ref, namespace).delete(name, {...rest, ...(Object.keys(preconditions).length > 0 ? {preconditions} : {})});
  }

  async deleteCollection(ref: ResourceRef, namespace: string, options: ListOptions & DeleteCallOptions = {}): Promise<void> {
    const {uid: _uid, resourceVersion: _precondition, limit: _limit, continue: _token, ...rest} = options;
    await this.#writable(ref, namespace).deleteCollection(rest);
  }

  resources(): readonly ServedResource[] {
    return this.#served;
  }

  #writable(ref: ResourceRef, namespace: string): ResourceApi<ApiObject, Record<string, ApiObject>> {
    this.#beforeWrite();
    return this.#api(ref, namespace);
  }

  #api({group, version, resource}: ResourceRef, namespace: string): ResourceApi<ApiObject, Record<string, ApiObject>> {
    const spelled = spelledGroup(group, this.#client.platform);
    const found = this.#served.find((each) => each.group === spelled && each.version === version && each.resource === resource);
    const {kind = '', namespaced = namespace !== ''} = found ?? {};
    return this.#client.resource(
      customType<ApiObject, Record<string, ApiObject>>({group, version, plural: resource, kind, namespaced}),
      namespace,
    );
  }
}
