import type {Agent} from 'node:https';
import {
  componentPrefix,
  serviceUnavailable,
  StatusError,
  WebhookError,
  encodeHeaderKey,
  type NamingProfile,
  type ResourceClient,
  type Tracing,
  type UserInfo,
} from '../../../sdk/index.js';
import {HttpsClient, type AgentPool, type HttpsResponse, type TlsSettings} from '../../../sdk/https/index.js';
import type {Backend} from '../../families/proxy/backend.js';
import {resolvedProxyAddress} from '../../families/proxy/proxy-target.js';
import {serviceAddress} from '../../families/services/service-address.js';
import {serverNameOf, type RemoteService} from './api-service.js';
import type {ClientPair} from './proxy-certificate.js';
import type {AggregatorSettings} from './settings.js';

/** What all calls to aggregated API servers share. */
export interface RemoteParts {
  readonly resources: ResourceClient;
  readonly naming: NamingProfile;
  readonly settings: AggregatorSettings;
  readonly tracing: Tracing;
  readonly agents: AgentPool;
  readonly pair: () => ClientPair;
}

/** A document that is fetched. */
export interface DocumentRequest {
  readonly method?: 'DELETE';
  /** This server itself, if absent. */
  readonly user?: UserInfo;
  readonly path: string;
  readonly accept: string;
  /** Fingerprint of the one that is there. */
  readonly etag?: string | undefined;
  readonly maximumBytes: number;
  readonly timeoutMillis: number;
}

/** An aggregated API server: where it is, and how to ask it. */
export class RemoteServer {
  #agent: {readonly pair: ClientPair; readonly trusted: number; readonly agent: Agent} | undefined;
  readonly #client: HttpsClient;
  readonly #parts: RemoteParts;

  constructor(
    readonly service: RemoteService,
    parts: RemoteParts,
  ) {
    this.#parts = parts;
    this.#client = new HttpsClient(parts.agents);
  }

  /**
   * Where a request goes.
   *
   * @throws StatusError 503 when the service leads nowhere, 400 for an address that services may not point at; WebhookError for a CA bundle that cannot be used
   */
  async backend(path: string, user: UserInfo): Promise<Backend> {
    const {settings, tracing} = this.#parts;
    const {traceparent} = tracing;
    const {host, port} = await this.#place();
    return {
      protocol: 'https',
      host,
      port,
      name: serverNameOf(this.service),
      path,
      agent: this.#currentAgent(),
      headers: {...userHeaders(user), ...(traceparent === undefined ? {} : {traceparent})},
      rejectsRedirects: settings.rejectForwardRedirect,
    };
  }

  /** Fetches a document on the server's own behalf. @throws WebhookError, StatusError as `backend`; the signal's reason */
  fetch(request: DocumentRequest, signal: AbortSignal): Promise<HttpsResponse> {
    return this.read(request, signal, (response) => response);
  }

  /** As `fetch`, for what is read of the document. @throws what `read` throws, too */
  async read<T>(request: DocumentRequest, signal: AbortSignal, read: (response: HttpsResponse) => T): Promise<T> {
    const {method, user = this.#ownUser(), path, accept, etag, maximumBytes, timeoutMillis} = request;
    const {host, port} = await this.#place();
    const headers = {
      ...userHeaders(user),
      accept,
      host: `${serverNameOf(this.service)}:${port}`,
      ...(etag === undefined ? {} : {'if-none-match': etag}),
    };
    const place = {tls: this.#tls(), host, port, path, ...(method ? {method} : {})};
    return this.#client.read({...place, headers, maximumBytes, signal: limited(signal, timeoutMillis)}, read);
  }

  /** One of the places that the service leads to, in the form in which it was checked. */
  async #place() {
    const {resources, naming, settings} = this.#parts;
    const choice = {clusterIpOnly: !settings.aggregatorRouting, fromCache: true};
    try {
      const {host, port} = await serviceAddress(resources, naming, this.service, choice);
      return {host: await resolvedProxyAddress(host, settings.proxyToLoopback), port};
    } catch (error) {
      if (StatusError.is(error) || !WebhookError.is(error)) throw error;
      throw serviceUnavailable(error.message, 1, {cause: error});
    }
  }

  #currentAgent(): Agent {
    const {agents} = this.#parts;
    const pair = this.#parts.pair();
    const {trusted} = agents;
    if (this.#agent?.pair !== pair || this.#agent.trusted !== trusted) this.#agent = {pair, trusted, agent: agents.agentFor(this.#tls())};
    return this.#agent.agent;
  }

  #tls(): TlsSettings {
    const {caBundle, insecure} = this.service;
    return {caBundle, insecure, serverName: serverNameOf(this.service), ...this.#parts.pair()};
  }

  #ownUser(): UserInfo {
    // As on Kubernetes: a member of this group may ask for discovery everywhere.
    return {username: `system:${componentPrefix(this.#parts.naming)}-aggregator`, groups: ['system:masters']};
  }
}

function limited(signal: AbortSignal, millis: number): AbortSignal {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new WebhookError('Timeout', `no answer within ${millis / 1000} s`)), millis);
  timer.unref();
  return AbortSignal.any([signal, limit.signal]);
}

/** The headers by which aggregated API servers learn who makes a request, as every extension server of Kubernetes expects them. */
function userHeaders({username, groups, extra = {}}: UserInfo): Record<string, string | string[]> {
  return {
    'X-Remote-User': encoded(username),
    ...(groups.length > 0 ? {'X-Remote-Group': groups.map(encoded)} : {}),
    ...Object.fromEntries(Object.entries(extra).map(([key, values]) => [`X-Remote-Extra-${encodeHeaderKey(key)}`, values.map(encoded)])),
  };
}

/** Headers go byte by byte; names are written in UTF-8. */
function encoded(value: string): string {
  return Buffer.from(value, 'utf8').toString('latin1');
}
