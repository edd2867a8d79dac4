import type {JsonObject} from '../objects/api-object.js';
import {WebhookError} from '../errors/webhook-error.js';
import {AgentPool, type TlsSettings} from './agent-pool.js';
import {exchange, type HttpsRequest, type HttpsResponse} from './exchange.js';
import {readAnswer} from './read-answer.js';
import {signedByNamesake} from './same-named-authority.js';

/** A request, and how its peer is verified. */
export type VerifiedRequest = Omit<HttpsRequest, 'agent'> & {readonly tls: TlsSettings};

/**
 * Outbound calls over HTTPS: to webhooks, token reviewers, identity providers. Connections stay open between calls and are shared only by
 * calls with equal TLS settings. Answers are JSON objects of bounded size and depth; redirects are not followed.
 */
export class HttpsClient {
  readonly #agents: AgentPool;

  /** @param connections per address, further calls wait for one; or a pool that is shared with others */
  constructor(connections: number | AgentPool = 64) {
    this.#agents = typeof connections === 'number' ? new AgentPool(connections) : connections;
  }

  /** Sends the request and returns the JSON object in its response. @throws WebhookError; the signal's reason if it is aborted */
  send(request: VerifiedRequest): Promise<JsonObject> {
    return this.read(request, (response) => readAnswer(response, request.statusCode));
  }

  /**
   * Sends a request whose response does not matter: any status of 200 to 299 is accepted, and the body is ignored.
   *
   * @throws WebhookError, `Refused` for another status; the signal's reason if it is aborted
   */
  async deliver(request: VerifiedRequest): Promise<void> {
    const {statusCode} = await this.fetch(request);
    if (statusCode < 200 || statusCode > 299)
      throw new WebhookError('Refused', `the service answers with status ${statusCode}`, {statusCode});
  }

  /**
   * Sends the request and returns the whole response, whatever its status.
   *
   * @throws WebhookError; the signal's reason if it is aborted
   */
  fetch(request: VerifiedRequest): Promise<HttpsResponse> {
    return this.read(request, (response) => response);
  }

  /**
   * Sends the request and returns what is read of its response, whatever its status. The response counts in the memory of all until then.
   *
   * @throws WebhookError; what `read` throws; the signal's reason if it is aborted
   */
  async read<T>({tls, ...request}: VerifiedRequest, read: (response: HttpsResponse) => T): Promise<T> {
    const send = () => exchange({...request, agent: this.#agents.agentFor(tls)}, read);
    try {
      return await send();
    } catch (error) {
      if (!tls.caBundle || !seemsSelfSigned(error)) throw error;
      const certificate = await signedByNamesake(request, tls);
      if (certificate === undefined) throw error;
      this.#agents.trust(tls, certificate);
      return send();
    }
  }

  /** Closes idle connections now, and the others once their answers are complete. Later calls work, but keep no connection open. */
  close(): void {
    this.#agents.close();
  }
}

/** Whether OpenSSL looked for no authority. Nothing has been sent then. */
function seemsSelfSigned(error: unknown): boolean {
  return WebhookError.is(error) && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'DEPTH_ZERO_SELF_SIGNED_CERT';
}

/** Host (IPv6 without brackets), port and path with query of a URL, for `HttpsClient.send`. */
export function placeOf(text: string): {host: string; port: number; path: string} {
  const url = new URL(text);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (url.protocol === 'http:' ? 80 : 443) : Number(url.port),
    path: `${url.pathname}${url.search}`,
  };
}
