import type {ApiObject} from '../objects/api-object.js';
import {namespaced, clusterWide, type ResourceObject, type ResourceHandle, type Subresources} from '../types/resource-handle.js';
import {ApiRequests} from './api-requests.js';
import type {Connection} from './connection.js';
import type {HttpRequest} from './http-exchange.js';
import {platformNames, type Platform, type PlatformNames} from './platform.js';
import {ResourceApi} from './resource-api.js';
import {Transport, type HttpResponse} from './transport.js';

export interface ClientOptions {
  /** The server's naming profile: `orch` by default, `kubernetes`, or the names of a custom one. */
  readonly platform?: Platform;
  /** `orch-client` by default. Field managers get their names from it. */
  readonly userAgent?: string;
  /** How often to retry a request that the server deferred (429 or 503 with `Retry-After`). 10 by default. */
  readonly maximumRetries?: number;
  /** Called with the text of each warning in a response. */
  readonly onWarning?: (text: string) => void;
}

/**
 * A client of one server. Connections stay open between requests; `close` ends them.
 *
 * ```ts
 * using client = new Client(await loadConnection());
 * const maps = client.resource(types.core.v1.ConfigMap, 'default');
 * await maps.create({metadata: {name: 'colours'}, data: {sky: 'blue'}});
 * ```
 */
export class Client implements Disposable {
  readonly platform: PlatformNames;
  readonly #transport: Transport;
  readonly #requests: ApiRequests;

  /** @throws TypeError if the connection's server is not a URL */
  constructor(
    readonly connection: Connection,
    options: ClientOptions = {},
  ) {
    this.platform = platformNames(options.platform ?? 'orch');
    this.#transport = new Transport(connection, {
      userAgent: options.userAgent ?? 'orch-client',
      maximumRetries: options.maximumRetries ?? 10,
      onWarning: options.onWarning,
    });
    this.#requests = new ApiRequests(this.#transport, this.platform);
  }

  /** The connection's namespace, or `default`. */
  get namespace(): string {
    return this.connection.namespace ?? 'default';
  }

  /**
   * The objects of a type.
   *
   * @param type a built-in one (`types.apps.v1.Deployment`) or the result of `customType`
   * @param namespace if absent, all namespaces; ignored for cluster-scoped types
   */
  resource<T extends ResourceObject, S extends Subresources>(type: ResourceHandle<T, S>, namespace = ''): ResourceApi<T, S> {
    return new ResourceApi(this.#requests, type, namespace);
  }

  /** Sends any request. Resolves for every status; nothing is decoded. */
  request(request: HttpRequest): Promise<HttpResponse> {
    return this.#transport.request(request);
  }

  /** Sends a GET whose response is JSON: discovery, `/version`, … @throws StatusError */
  getJson<T>(path: string, options: {readonly signal?: AbortSignal} = {}): Promise<T> {
    return this.#requests.json('GET', path, options);
  }

  /** Closes all connections. Requests and watches in progress fail, and so do later ones. */
  close(): void {
    this.#transport.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** Identifies a resource type that is not built in. */
export interface CustomTypeNames {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  /** True by default. */
  readonly namespaced?: boolean;
}

/** A resource type of a CustomResourceDefinition or a plugin, with the TypeScript type of its objects. */
export function customType<T extends ResourceObject = ApiObject, S extends Subresources = {status: T}>(
  names: CustomTypeNames,
): ResourceHandle<T, S> {
  const make = names.namespaced === false ? clusterWide : namespaced;
  return make<T, S>(names.group, names.version, names.plural, names.kind);
}
