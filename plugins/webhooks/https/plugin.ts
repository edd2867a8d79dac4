import {
  inject,
  jsonText,
  Tokens,
  WebhookError,
  webhookCaller,
  type JsonObject,
  type NamingProfile,
  type ResourceClient,
  type WebhookCaller,
  type WebhookTarget,
  type WebhookCredentials,
} from '../../../sdk/index.js';
import {HttpsClient} from '../../../sdk/https/index.js';
import {serviceAddress} from '../../families/services/service-address.js';
import {describeCall, endpointOf, type WebhookEndpoint} from './endpoint.js';

/** Maximum body of a response: room for a patch, in base64, that replaces the largest request body by another. */
const maximumBytes = 6 * 1024 * 1024;

/**
 * Calls webhooks by POST over HTTPS. Connections stay open between calls. The server's certificate is always verified, and redirects are
 * not followed. The last of the chain: callers of other plugins come first.
 */
@webhookCaller({order: 900})
export class HttpsWebhookCaller implements WebhookCaller {
  readonly #client = new HttpsClient();
  readonly #resources: ResourceClient;
  readonly #naming: NamingProfile;

  constructor(@inject(Tokens.Resources) resources: ResourceClient, @inject(Tokens.Naming) naming: NamingProfile) {
    this.#resources = resources;
    this.#naming = naming;
  }

  async call(target: WebhookTarget, review: object | string, signal?: AbortSignal): Promise<JsonObject> {
    signal?.throwIfAborted();
    const endpoint = endpointOf(target);
    const abort = new AbortController();
    const giveUp = () => abort.abort(signal?.reason);
    signal?.addEventListener('abort', giveUp, {once: true});
    const limit = setTimeout(
      () => abort.abort(new WebhookError('Timeout', `no answer within ${target.timeoutMillis / 1000} s`)),
      target.timeoutMillis,
    );
    try {
      return await this.#post(target, endpoint, typeof review === 'string' ? review : jsonText(review), abort.signal);
    } catch (error) {
      throw WebhookError.is(error) ? describeCall(endpoint, error) : error;
    } finally {
      clearTimeout(limit);
      signal?.removeEventListener('abort', giveUp);
    }
  }

  /** Calls of requests still in progress are made after this too; their connections are closed as soon as they end. */
  async stop(): Promise<void> {
    this.#client.close();
  }

  async #post(target: WebhookTarget, endpoint: WebhookEndpoint, body: string, signal: AbortSignal): Promise<JsonObject> {
    const {caBundle, credentials, service, traceparent, headers} = target;
    const address = service ? await unlessAborted(serviceAddress(this.#resources, this.#naming, service), signal) : endpoint;
    return this.#client.send({
      tls: {caBundle, serverName: endpoint.serverName, certificate: credentials?.certificate, key: credentials?.key},
      host: address.host,
      port: address.port,
      path: endpoint.path,
      headers: {...headers, host: endpoint.authority, ...authorizationOf(credentials), ...(traceparent === undefined ? {} : {traceparent})},
      body: Buffer.from(body),
      maximumBytes,
      statusCode: target.statusCode,
      signal,
    });
  }
}

/** The result of `work`, unless the signal fires first. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason as Error);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, {once: true});
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}

/** The header that identifies this server, for credentials sent in the request. */
function authorizationOf({token, basic}: WebhookCredentials = {}): Record<string, string> {
  if (token !== undefined) return {authorization: `Bearer ${token}`};
  if (basic === undefined) return {};
  return {authorization: `Basic ${Buffer.from(`${basic.username}:${basic.password}`).toString('base64')}`};
}
