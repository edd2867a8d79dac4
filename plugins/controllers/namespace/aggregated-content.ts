import {
  apiVersionOf,
  pathNotFound,
  type AggregatedVersions,
  type ApiList,
  type DeleteCallOptions,
  type JsonObject,
  type ListOptions,
  type NamingProfile,
  type ResourceRef,
  type ServedResource,
  type UserInfo,
} from '../../../sdk/index.js';
import type {ContentClient} from './namespace-content.js';

/** The objects of aggregated types: what there is in a namespace for other servers to delete. */
export class AggregatedContent implements ContentClient {
  readonly #versions: AggregatedVersions;
  readonly #accept: string;
  readonly #signal: AbortSignal;
  /** The controller's account, as for the server's own objects: the other server asks what it may do. */
  readonly #user: UserInfo;

  constructor(versions: AggregatedVersions, naming: NamingProfile, signal: AbortSignal) {
    const accounts = `system:serviceaccounts:${naming.systemNamespace}`;
    this.#user = {
      username: `system:serviceaccount:${naming.systemNamespace}:namespace-controller`,
      groups: ['system:serviceaccounts', accounts, 'system:authenticated'],
    };
    this.#versions = versions;
    this.#accept = `application/json;as=PartialObjectMetadataList;g=${naming.group('meta.orch')};v=v1,application/json`;
    this.#signal = signal;
  }

  /** Group versions of which it is not known what they have: they may have something. */
  undiscovered(): string[] {
    return this.#askable()
      .filter(({isStale}) => isStale)
      .map((version) => apiVersionOf(version));
  }

  resources(): readonly ServedResource[] {
    return this.#askable().flatMap(({group, version, resources}) =>
      resources.map(({resource, responseKind: {kind}, scope, verbs}) => ({
        group,
        version,
        resource,
        kind,
        namespaced: scope === 'Namespaced',
        verbs,
      })),
    );
  }

  async list(ref: ResourceRef, namespace: string, {limit, continue: token}: ListOptions = {}): Promise<ApiList> {
    const query = {...(limit === undefined ? {} : {limit: String(limit)}), ...(token === undefined ? {} : {continue: token})};
    const {metadata, items} = (await this.#ask('GET', ref, namespace, '', query)) as Partial<ApiList>;
    return {apiVersion: 'v1', kind: 'List', metadata: metadata ?? {}, items: Array.isArray(items) ? items : []};
  }

  async delete(ref: ResourceRef, namespace: string, name: string, {propagationPolicy}: DeleteCallOptions = {}): Promise<void> {
    await this.#ask('DELETE', ref, namespace, `/${encodeURIComponent(name)}`, propagationPolicy ? {propagationPolicy} : {});
  }

  async deleteCollection(ref: ResourceRef, namespace: string, {propagationPolicy}: DeleteCallOptions = {}): Promise<void> {
    await this.#ask('DELETE', ref, namespace, '', propagationPolicy ? {propagationPolicy} : {});
  }

  /** Those of plugins that take no such requests are left to these plugins. */
  #askable() {
    return this.#versions.all().filter(({server, group}) => server.ask !== undefined && group !== '');
  }

  async #ask(
    method: 'GET' | 'DELETE',
    {group, version, resource}: ResourceRef,
    namespace: string,
    name: string,
    query: Record<string, string>,
  ): Promise<JsonObject> {
    const found = this.#askable().find((one) => one.group === group && one.version === version);
    if (!found) throw pathNotFound();
    const path = `/apis/${group}/${version}/namespaces/${namespace}/${resource}${name}?${new URLSearchParams(query).toString()}`;
    return found.server.ask!({
      method,
      path,
      accept: method === 'GET' ? this.#accept : 'application/json',
      user: this.#user,
      signal: this.#signal,
    });
  }
}
