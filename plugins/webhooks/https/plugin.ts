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
} from '../../../sdk/index.js';
import {serviceAddress} from '../../families/services/service-address.js';
import {AgentPool} from './agent-pool.js';
import {authorizationOf} from './authorization.js';
import {describeCall, endpointOf, type WebhookEndpoint} from './endpoint.js';
import {exchange} from './exchange.js';
import {readAnswer} from './read-answer.js';

/**
 * Calls webhooks by POST over HTTPS. Connections stay open between calls. The server's certificate is always verified, redirects are
 * not followed. Callers of other plugins come before it.
 */
@webhookCaller({order: 900})
export class HttpsWebhookCaller implements WebhookCaller {
  readonly #agents = new AgentPool();

  constructor(
    @inject(Tokens.Resources) private readonly resources: ResourceClient,
    @inject(Tokens.Naming) private readonly naming: NamingProfile,
  ) {}

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

  /** Calls of requests that are still under way are made afterwards too; their connections are closed at once when they end. */
  async stop(): Promise<void> {
    this.#agents.close();
  }

  async #post(target: WebhookTarget, endpoint: WebhookEndpoint, body: string, signal: AbortSignal): Promise<JsonObject> {
    const agent = this.#agents.agentFor({...endpoint, caBundle: target.caBundle, credentials: target.credentials});
    const address = target.service ? await unlessAborted(serviceAddress(this.resources, this.naming, target.service), signal) : endpoint;
    return readAnswer(
      await exchange({
        agent,
        host: address.host,
        port: address.port,
        path: endpoint.path,
        headers: {host: endpoint.authority, ...authorizationOf(target.credentials)},
        body: Buffer.from(body),
        signal,
      }),
    );
  }
}

/** What `work` comes to, unless the signal fires before. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason as Error);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, {once: true});
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}
