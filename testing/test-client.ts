import {readFile} from 'node:fs/promises';
import {Agent, request} from 'node:https';
import type {IncomingHttpHeaders, IncomingMessage} from 'node:http';
import {join} from 'node:path';
import type {WatchEvent} from '../sdk/objects/api-object.js';

/** A complete response. */
export interface TestResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The body as JSON. @throws SyntaxError if it is not JSON */
  json<T = Record<string, never>>(): T;
}

export interface TestRequestOptions {
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Sent unchanged if text or bytes, as JSON otherwise. */
  readonly body?: unknown;
  /** Leave the client certificate out. */
  readonly anonymous?: boolean;
  readonly signal?: AbortSignal;
}

/** HTTP requests with the administrator's certificate, with a concise interface for tests. */
export class TestClient {
  readonly #anonymousAgent: Agent;
  readonly #agent: Agent;

  private constructor(
    readonly url: string,
    agent: Agent,
    ca: string,
  ) {
    this.#agent = agent;
    this.#anonymousAgent = new Agent({ca, keepAlive: false});
  }

  /** @param pkiFolder the folder `pki` in the server's data folder */
  static async open(url: string, pkiFolder: string): Promise<TestClient> {
    const [ca, cert, key] = await Promise.all(['ca.crt', 'admin.crt', 'admin.key'].map((name) => readFile(join(pkiFolder, name), 'utf8')));
    return new TestClient(url, new Agent({ca, cert, key, keepAlive: true}), ca!);
  }

  async request(method: string, path: string, options: TestRequestOptions = {}): Promise<TestResponse> {
    const response = await this.#send(method, path, options);
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    return {status: response.statusCode ?? 0, headers: response.headers, body, json: () => JSON.parse(body.toString('utf8')) as never};
  }

  get(path: string, options?: TestRequestOptions): Promise<TestResponse> {
    return this.request('GET', path, options);
  }

  post(path: string, body: unknown, options?: TestRequestOptions): Promise<TestResponse> {
    return this.request('POST', path, {...options, body});
  }

  put(path: string, body: unknown, options?: TestRequestOptions): Promise<TestResponse> {
    return this.request('PUT', path, {...options, body});
  }

  /** @param type media type of the patch; a JSON merge patch by default */
  patch(path: string, body: unknown, type = 'application/merge-patch+json', options?: TestRequestOptions): Promise<TestResponse> {
    return this.request('PATCH', path, {...options, body, headers: {'content-type': type, ...options?.headers}});
  }

  delete(path: string, options?: TestRequestOptions): Promise<TestResponse> {
    return this.request('DELETE', path, options);
  }

  /**
   * Streams the events of a watch. Ends when the server ends the watch or `signal` fires.
   *
   * @throws Error with status and body if the status is not 200
   */
  async *watch(path: string, options: TestRequestOptions = {}): AsyncGenerator<WatchEvent> {
    const response = await this.#send('GET', path, options);
    if (response.statusCode !== 200) {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      throw new Error(`watch answered ${response.statusCode}: ${Buffer.concat(chunks).toString('utf8')}`);
    }
    let rest = '';
    response.setEncoding('utf8');
    try {
      for await (const chunk of response) {
        const lines = (rest + String(chunk)).split('\n');
        rest = lines.pop()!;
        for (const line of lines) if (line !== '') yield JSON.parse(line) as WatchEvent;
      }
    } catch (error) {
      if (!options.signal?.aborted) throw error;
    } finally {
      response.destroy();
    }
  }

  close(): void {
    this.#agent.destroy();
    this.#anonymousAgent.destroy();
  }

  #send(method: string, path: string, {headers, body, anonymous, signal}: TestRequestOptions): Promise<IncomingMessage> {
    const payload = body === undefined ? undefined : typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const outgoing = request(
        new URL(path, this.url),
        {
          method,
          agent: anonymous ? this.#anonymousAgent : this.#agent,
          headers: {
            ...(payload === undefined ? {} : {'content-type': 'application/json', 'content-length': String(Buffer.byteLength(payload))}),
            ...headers,
          } as Record<string, string>,
          ...(signal ? {signal} : {}),
        },
        resolve,
      );
      outgoing.on('error', reject);
      outgoing.end(payload);
    });
  }
}
