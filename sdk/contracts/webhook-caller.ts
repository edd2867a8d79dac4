import type {JsonObject} from '../objects/api-object.js';
import type {Startable} from './startable.js';

/** Makes outbound calls (conversion reviews, admission reviews and the like) to the user's services. Offered to plugins as `Tokens.Webhooks`. */
export interface WebhookCaller extends Startable {
  /**
   * Sends one review as JSON and returns the body of the response: a JSON object, in which integers beyond 2^53 are bigint. A call is not retried,
   * except when a kept-alive connection turns out to be closed.
   *
   * @param review the object, or its JSON text if the caller already has it; integers beyond 2^53 as bigint
   * @param signal cancels the call, which then rejects with the signal's reason
   * @throws WebhookError if there is no such response within the time limit
   */
  call(target: WebhookTarget, review: object | string, signal?: AbortSignal): Promise<JsonObject>;
}

/**
 * What a plugin contributes to that, as a class decorated with `@webhookCaller`: a link of the chain of callers. It makes the call, or passes it on to the
 * next by order, as it is or with another target or review. The last is the built-in one, which posts JSON over HTTPS.
 */
export interface ChainedWebhookCaller {
  /**
   * As `WebhookCaller.call`.
   *
   * @param next passes the call on, with the same signal; rejects with a WebhookError (`NoCaller`) behind the last
   */
  call(target: WebhookTarget, review: object | string, signal: AbortSignal | undefined, next: NextWebhookCaller): Promise<JsonObject>;
}

/** Passes a call on to the next caller. */
export type NextWebhookCaller = (target: WebhookTarget, review: object | string) => Promise<JsonObject>;

/** The target of a call: an `https` URL, or a service defined by objects of this server. */
export type WebhookTarget = WebhookCallSettings &
  ({readonly url: string; readonly service?: undefined} | {readonly service: WebhookServiceReference; readonly url?: undefined});

/** A Service of this server. Its certificate must be valid for `NAME.NAMESPACE.svc`. */
export interface WebhookServiceReference {
  readonly namespace: string;
  readonly name: string;
  /** Path of the calls; `/` when absent. */
  readonly path?: string;
  /** Port of the Service, by number; 443 when absent. */
  readonly port?: number;
}

export interface WebhookCallSettings {
  /** PEM certificates that the server's certificate must chain to, and no others; the system's roots when absent. */
  readonly caBundle?: string;
  /** Name that the server's certificate must be valid for, if not the host of the URL or the name of the service. */
  readonly serverName?: string;
  /** For the whole call, from resolving the service to the last byte of the response. */
  readonly timeoutMillis: number;
  readonly credentials?: WebhookCredentials;
  /** What the call is for, as traces show it: the name of the webhook. */
  readonly name?: string;
  /** Header of that name, set by the server if the request that the call is for is traced. */
  readonly traceparent?: string;
  /** More headers, by name in lower case. Those that the server sets itself have precedence. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The only status of a valid response; any of 200 to 299 if absent. */
  readonly statusCode?: number;
}

/**
 * Credentials of this server for the service. A token or a password is sent with the request, a certificate is used in the TLS handshake.
 */
export interface WebhookCredentials {
  /** Sent as `Authorization: Bearer`. */
  readonly token?: string;
  readonly basic?: {readonly username: string; readonly password: string};
  /** Client certificate and its private key, both PEM. */
  readonly certificate?: string;
  readonly key?: string;
}
