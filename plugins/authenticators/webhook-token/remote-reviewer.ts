import {Agent, request} from 'node:https';
import {readServiceFile, type RemoteService} from '../../../sdk/webhooks/index.js';

const timeoutMillis = 30_000;
const maximumBytes = 3 * 1024 * 1024;

/** Sends reviews to the service that a client configuration file names. */
export class RemoteReviewer {
  readonly #agent = new Agent({keepAlive: true});

  private constructor(private readonly service: RemoteService) {}

  /** @throws Error in one sentence when the file cannot be used */
  static async open(file: string): Promise<RemoteReviewer> {
    return new RemoteReviewer(await readServiceFile(file));
  }

  close(): void {
    this.#agent.destroy();
  }

  /** The body of the answer, parsed. Rejects when the call fails, takes too long, or is not answered with JSON. */
  post(review: object): Promise<unknown> {
    const {url, ca, serverName, insecureSkipTlsVerify, certificate, key, authorization} = this.service;
    const body = Buffer.from(JSON.stringify(review));
    return new Promise((resolve, reject) => {
      const call = request(
        url,
        {
          method: 'POST',
          agent: this.#agent,
          signal: AbortSignal.timeout(timeoutMillis),
          headers: {
            'content-type': 'application/json',
            accept: 'application/json',
            'content-length': body.length,
            ...(authorization ? {authorization} : {}),
          },
          ...(ca === undefined ? {} : {ca}),
          ...(certificate === undefined ? {} : {cert: certificate, key}),
          ...(serverName === undefined ? {} : {servername: serverName}),
          ...(insecureSkipTlsVerify ? {rejectUnauthorized: false} : {}),
        },
        (response) => {
          const chunks: Buffer[] = [];
          let bytes = 0;
          response.on('data', (chunk: Buffer) => {
            bytes += chunk.length;
            if (bytes > maximumBytes) call.destroy(new Error(`the answer has more than ${maximumBytes} bytes`));
            else chunks.push(chunk);
          });
          response.on('error', reject);
          response.on('end', () => {
            const code = response.statusCode ?? 0;
            if (code < 200 || code > 299) return reject(new Error(`the service answers ${code}`));
            try {
              resolve(JSON.parse(Buffer.concat(chunks).toString('utf8')));
            } catch (error) {
              reject(new Error('the answer is no JSON', {cause: error}));
            }
          });
        },
      );
      call.on('error', reject);
      call.end(body);
    });
  }
}
