import {type JsonObject} from '../../../sdk/index.js';
import {HttpsClient, placeOf, type VerifiedRequest} from '../../../sdk/https/index.js';
import {readServiceFile, type RemoteService} from '../../../sdk/webhooks/index.js';

const timeoutMillis = 30_000;
/** Maximum body of a response: a user's groups, or a reason. */
const maximumBytes = 1024 * 1024;

/** Sends reviews to the service in a client configuration file. */
export class RemoteReviewer {
  readonly #client: HttpsClient;
  readonly #service: RemoteService;

  private constructor(service: RemoteService, connections: number) {
    this.#service = service;
    this.#client = new HttpsClient(connections);
  }

  /** @param connections maximum concurrent reviews @throws Error with a one-sentence message if the file cannot be used */
  static async open(file: string, connections: number): Promise<RemoteReviewer> {
    return new RemoteReviewer(await readServiceFile(file), connections);
  }

  close(): void {
    this.#client.close();
  }

  /**
   * Returns the response.
   *
   * @param signal aborts before the limit of 30 seconds
   * @throws WebhookError if the call fails or the response is not a JSON object; the signal's reason, or a `TimeoutError`
   */
  post(review: object, signal?: AbortSignal): Promise<JsonObject> {
    const limit = AbortSignal.timeout(timeoutMillis);
    return this.#client.send(this.#request(Buffer.from(JSON.stringify(review)), signal ? AbortSignal.any([signal, limit]) : limit));
  }

  /**
   * Sends JSON; only the status of the response is checked.
   *
   * @throws WebhookError; the signal's reason
   */
  deliver(body: Buffer, signal: AbortSignal): Promise<void> {
    return this.#client.deliver(this.#request(body, signal));
  }

  #request(body: Buffer, signal: AbortSignal): VerifiedRequest {
    const {url, ca, serverName, insecureSkipTlsVerify, certificate, key, authorization} = this.#service;
    return {
      tls: {caBundle: ca, serverName, certificate, key, insecure: insecureSkipTlsVerify},
      ...placeOf(url),
      headers: {host: new URL(url).host, ...(authorization ? {authorization} : {})},
      body,
      maximumBytes,
      signal,
    };
  }
}
