import {randomUUID} from 'node:crypto';
import type {ServerResponse} from 'node:http';
import type {Duplex} from 'node:stream';
import {
  internalError,
  serviceUnavailable,
  StatusError,
  WebhookError,
  type JsonObject,
  type Logger,
  type RouteRequest,
  type StatusReason,
  type VersionCall,
  type VersionServer,
} from '../../../sdk/index.js';
import {readAnswer, type HttpsResponse} from '../../../sdk/https/index.js';
import type {Backend} from '../../families/proxy/backend.js';
import {forwardRequest} from '../../families/proxy/reverse-proxy.js';
import {forwardUpgrade, refuseUpgrade} from '../../families/proxy/upgrade-tunnel.js';
import type {RemoteServer} from './remote-server.js';

/** Clients wait for discovery before anything else: it may not take longer. */
const discoveryMillis = 5000;
/** Of requests of this server's own. */
const callMillis = 30_000;
const maximumBytes = 4 * 1024 * 1024;
const longestMessage = 1024;
/** Name of this process in the list of proxies that a request has passed. */
const ownName = `orch-${randomUUID()}`;

/** Hands the requests for a group version on to its server. */
export class VersionProxy implements VersionServer {
  readonly #remote: () => RemoteServer;
  readonly #available: () => boolean;
  readonly #logger: Logger;

  /** @param available whether the server was there when it was last checked */
  constructor(remote: () => RemoteServer, available: () => boolean, logger: Logger) {
    this.#remote = remote;
    this.#available = available;
    this.#logger = logger;
  }

  async handle(request: RouteRequest, response: ServerResponse): Promise<void> {
    const backend = await this.#backend(request);
    if (!isDiscovery(request)) return forwardRequest(request, response, backend);
    const limit = AbortSignal.timeout(discoveryMillis);
    return forwardRequest({...request, signal: AbortSignal.any([request.signal, limit])}, response, backend);
  }

  async upgrade(request: RouteRequest, socket: Duplex, head: Buffer): Promise<void> {
    try {
      await forwardUpgrade(request, socket, head, await this.#backend(request));
    } catch (error) {
      refuseUpgrade(socket, error);
    }
  }

  async ask({method, path, accept, user, signal}: VersionCall): Promise<JsonObject> {
    if (!this.#available()) throw serviceUnavailable('service unavailable');
    const call = {path, accept, user, maximumBytes, timeoutMillis: callMillis, ...(method === 'DELETE' ? {method} : {})};
    try {
      const answer = await this.#remote().fetch(call, signal);
      return answer.statusCode < 300 ? readAnswer(answer) : refuse(answer);
    } catch (error) {
      if (StatusError.is(error) || signal.aborted) throw error;
      throw serviceUnavailable(`error trying to reach service: ${(error as Error).message}`, 1, {cause: error});
    }
  }

  /** @throws StatusError 503, in the words of Kubernetes */
  async #backend({incoming, path, user}: RouteRequest): Promise<Backend> {
    if (!this.#available()) throw serviceUnavailable('service unavailable');
    const via = incoming.headers.via ?? '';
    if (via.includes(ownName))
      throw new StatusError(508, 'InternalError', 'the request has come back: an APIService leads to this server itself');
    try {
      const backend = await this.#remote().backend(`${path}${queryOf(incoming, path)}`, user);
      return {...backend, headers: {...backend.headers, via: `${via === '' ? '' : `${via}, `}1.1 ${ownName}`}};
    } catch (error) {
      const {name, namespace} = this.#remote().service;
      this.#logger.debug({service: `${namespace}/${name}`, err: error}, 'the service of an aggregated API leads nowhere');
      if (WebhookError.is(error) && error.code === 'Misconfigured') throw internalError(error.message, {cause: error});
      throw serviceUnavailable('service unavailable', 1, {cause: error});
    }
  }
}

/** @throws StatusError of the server */
function refuse(answer: HttpsResponse): never {
  let status: JsonObject = {};
  try {
    status = readAnswer(answer, answer.statusCode);
  } catch (error) {
    if (!WebhookError.is(error)) throw error;
  }
  const {reason, message} = status;
  const text = typeof message === 'string' ? message.slice(0, longestMessage) : `the server answers with status ${answer.statusCode}`;
  throw new StatusError(answer.statusCode, typeof reason === 'string' ? (reason as StatusReason) : 'Unknown', text);
}

/**
 * The query as the client wrote it. Not that of a document of OpenAPI: the fingerprint in it may be out of date here, and the server would redirect to
 * the present one.
 */
function queryOf({url = ''}: RouteRequest['incoming'], path: string): string {
  const mark = url.indexOf('?');
  return mark < 0 || path.startsWith('/openapi/') ? '' : url.slice(mark);
}

/** `/apis/GROUP/VERSION` itself. */
function isDiscovery({path}: RouteRequest): boolean {
  return path.split('/').filter((segment) => segment !== '').length === 3;
}
