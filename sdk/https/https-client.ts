import type {JsonObject} from '../objects/api-object.js';
import {WebhookError} from '../errors/webhook-error.js';
import {AgentPool, type TlsSettings} from './agent-pool.js';
import {exchange, type HttpsRequest, type HttpsResponse} from './exchange.js';
import {readAnswer} from './read-answer.js';

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
  async send({tls, ...request}: VerifiedRequest): Promise<JsonObject> {
    return readAnswer(await exchange({...request, agent: this.#agents.agentFor(tls)}), request.statusCode);
  }

  /**
   * Sends a request whose response does not matter: any status of 200 to 299 is accepted, and the body is ignored.
   *
   * @throws WebhookError, `Refused` for another status; the signal's reason if it is aborted
   */
  async deliver({tls, ...request}: VerifiedRequest): Promise<void> {
    const {statusCode} = await exchange({...request, agent: this.#agents.agentFor(tls)});
    if (statusCode < 200 || statusCode > 299)
      throw new WebhookError('Refused', `the service answers with status ${statusCode}`, {statusCode});
  }

  /**
   * Sends the request and returns the whole response, whatever its status.
   *
   * @throws WebhookError; the signal's reason if it is aborted
   */
  fetch({tls, ...request}: VerifiedRequest): Promise<HttpsResponse> {
    return exchange({...request, agent: this.#agents.agentFor(tls)});
  }

  /** Closes idle connections now, and the others once their answers are complete. Later calls work, but keep no connection open. */
  close(): void {
    this.#agents.close();
  }
}

/** Host (IPv6 without brackets), port and path with query of a URL, for `HttpsClient.send`. */
export function placeOf(text: string): {host: string; port: number; path: string} {
  const url = new URL(text);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? 443 : Number(url.port),
    path: `${url.pathname}${url.search}`,
  };
}
