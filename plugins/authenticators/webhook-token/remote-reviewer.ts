import {Agent, request} from 'node:https';
import {loadConnection, type Connection, type Credentials} from '../../../sdk/client/index.js';

const timeoutMillis = 30_000;
const maximumBytes = 3 * 1024 * 1024;

/** Sends reviews to the service that a client configuration file names. */
export class RemoteReviewer {
  readonly #agent: Agent;

  private constructor(private readonly connection: Connection) {
    this.#agent = new Agent({keepAlive: true});
  }

  /** @throws Error in one sentence when the file cannot be used */
  static async open(file: string): Promise<RemoteReviewer> {
    const connection = await loadConnection({kubeconfig: file});
    if (new URL(connection.server).protocol !== 'https:') throw new Error(`${file}: the server must be an https URL, not ${connection.server}`);
    return new RemoteReviewer(connection);
  }

  close(): void {
    this.#agent.destroy();
  }

  /** The body of the answer, parsed. Rejects when the call fails, takes too long, or is not answered with JSON. */
  async post(review: object): Promise<unknown> {
    const signal = AbortSignal.timeout(timeoutMillis);
    const {token, basic, certificate, key} = await this.#credentials(signal);
    const {server, certificateAuthority, insecureSkipTlsVerify, tlsServerName} = this.connection;
    const body = Buffer.from(JSON.stringify(review));
    const authorization = token !== undefined ? `Bearer ${token}` : basic ? `Basic ${Buffer.from(`${basic.username}:${basic.password}`).toString('base64')}` : undefined;
    return new Promise((resolve, reject) => {
      const call = request(
        server,
        {
          method: 'POST',
          agent: this.#agent,
          signal,
          headers: {'content-type': 'application/json', accept: 'application/json', 'content-length': body.length, ...(authorization ? {authorization} : {})},
          ...(certificateAuthority === undefined ? {} : {ca: certificateAuthority}),
          ...(certificate === undefined ? {} : {cert: certificate, key}),
          ...(tlsServerName === undefined ? {} : {servername: tlsServerName}),
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

  #credentials(signal: AbortSignal): Credentials | Promise<Credentials> {
    const {credentials} = this.connection;
    if (credentials === undefined) return {};
    return 'get' in credentials ? credentials.get(signal) : credentials;
  }
}
