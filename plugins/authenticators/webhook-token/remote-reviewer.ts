import {HttpsClient, placeOf} from '../../../sdk/https/index.js';
import {readServiceFile, type RemoteService} from '../../../sdk/webhooks/index.js';

const timeoutMillis = 30_000;
const maximumBytes = 3 * 1024 * 1024;

/** Sends reviews to the service that a client configuration file names. */
export class RemoteReviewer {
  readonly #client: HttpsClient;
  readonly #service: RemoteService;

  private constructor(service: RemoteService, connections: number) {
    this.#service = service;
    this.#client = new HttpsClient(connections);
  }

  /** @param connections reviews that may be under way at once @throws Error in one sentence when the file cannot be used */
  static async open(file: string, connections: number): Promise<RemoteReviewer> {
    return new RemoteReviewer(await readServiceFile(file), connections);
  }

  close(): void {
    this.#client.close();
  }

  /** The answer. Rejects when the call fails, takes too long, or is not answered with a JSON object. */
  post(review: object): Promise<unknown> {
    const {url, ca, serverName, insecureSkipTlsVerify, certificate, key, authorization} = this.#service;
    return this.#client.send({
      tls: {caBundle: ca, serverName, certificate, key, insecure: insecureSkipTlsVerify},
      ...placeOf(url),
      headers: {host: new URL(url).host, ...(authorization ? {authorization} : {})},
      body: Buffer.from(JSON.stringify(review)),
      maximumBytes,
      signal: AbortSignal.timeout(timeoutMillis),
    });
  }
}
