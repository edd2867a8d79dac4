import {Agent, request as httpsRequest, type RequestOptions} from 'node:https';
import type {IncomingHttpHeaders, IncomingMessage} from 'node:http';
import {createInterface} from 'node:readline';
import type {Credentials} from './kubeconfig.js';
import type {Teardown} from './temp-folder.js';

export interface HttpsRequest {
  /** Sent as it is; an object is sent as JSON. */
  body?: unknown;
  headers?: Record<string, string | string[]>;
  signal?: AbortSignal;
}

export interface HttpsResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
  /** The body, parsed. Throws when it is not JSON. */
  json<T = Record<string, unknown>>(): T;
}

/** One line of a watch response. `raw` is the line as it came. */
export interface WatchLine {
  readonly type: string;
  readonly object: Record<string, unknown> & {metadata: {name: string; namespace: string; resourceVersion: string}};
  readonly raw: string;
}

export interface WatchStream extends AsyncIterable<WatchLine> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Answers the next event, or undefined when the server has ended the stream. Throws after `timeoutMillis` (10,000) without either. */
  next(timeoutMillis?: number): Promise<WatchLine | undefined>;
  close(): void;
}

export interface HttpsClient {
  request(method: string, path: string, options?: HttpsRequest): Promise<HttpsResponse>;
  get(path: string, headers?: Record<string, string>): Promise<HttpsResponse>;
  post(path: string, body: unknown): Promise<HttpsResponse>;
  put(path: string, body: unknown): Promise<HttpsResponse>;
  /** `type` is the patch type: `merge` or `json`. */
  patch(path: string, body: unknown, type?: 'merge' | 'json'): Promise<HttpsResponse>;
  delete(path: string, body?: unknown): Promise<HttpsResponse>;
  /** Opens a watch; resolves when the response's head is there. A status other than 200 throws with the body. */
  watch(path: string, options?: {signal?: AbortSignal}): Promise<WatchStream>;
  /** Closes all connections. */
  close(): void;
}

async function readBody(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** A client over `node:https` with connections that stay open. Credentials without certificate make an anonymous client. */
export function httpsClient(t: Teardown, server: Pick<Credentials, 'url' | 'ca'> & Partial<Credentials>): HttpsClient {
  const agent = new Agent({keepAlive: true, ca: server.ca, cert: server.cert, key: server.key});
  const {hostname, port} = new URL(server.url);
  const open = (method: string, path: string, options: HttpsRequest): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const headers: Record<string, string | string[]> = {accept: 'application/json', ...options.headers};
      const plain = options.body === undefined || typeof options.body === 'string' || Buffer.isBuffer(options.body);
      const body = plain ? (options.body as string | Buffer | undefined) : JSON.stringify(options.body);
      if (body !== undefined) {
        headers['content-type'] ??= 'application/json';
        headers['content-length'] ??= String(Buffer.byteLength(body));
      }
      // Path and host apart: a URL would be normalised, and `%2e%2e` would never reach the server.
      const target: RequestOptions = {method, agent, headers, hostname, port, path};
      if (options.signal) target.signal = options.signal;
      const call = httpsRequest(target, resolve);
      call.once('error', reject);
      call.end(body);
    });
  const request: HttpsClient['request'] = async (method, path, options = {}) => {
    const response = await open(method, path, options);
    const body = await readBody(response);
    const text = body.toString('utf8');
    return {status: response.statusCode!, headers: response.headers, body, text, json: <T>() => JSON.parse(text) as T};
  };
  const client: HttpsClient = {
    request,
    get: (path, headers) => request('GET', path, headers ? {headers} : {}),
    post: (path, body) => request('POST', path, {body}),
    put: (path, body) => request('PUT', path, {body}),
    patch: (path, body, type = 'merge') =>
      request('PATCH', path, {
        body,
        headers: {'content-type': type === 'merge' ? 'application/merge-patch+json' : 'application/json-patch+json'},
      }),
    delete: (path, body) => request('DELETE', path, body === undefined ? {} : {body}),
    async watch(path, options = {}) {
      const response = await open('GET', path, options.signal ? {signal: options.signal} : {});
      if (response.statusCode !== 200) {
        throw new Error(`watch ${path}: ${response.statusCode} ${(await readBody(response)).toString('utf8')}`);
      }
      return watchStream(response);
    },
    close: () => agent.destroy(),
  };
  t.teardown(() => client.close());
  return client;
}

function watchStream(response: IncomingMessage): WatchStream {
  const waiting: WatchLine[] = [];
  let ended = false;
  let wake: (() => void) | undefined;
  response.once('error', () => undefined);
  const lines = createInterface({input: response});
  // It passes on the error of a response that was cut off.
  lines.on('error', () => undefined);
  lines.on('line', (raw) => {
    if (raw === '') return;
    waiting.push({...(JSON.parse(raw) as Omit<WatchLine, 'raw'>), raw});
    wake?.();
  });
  lines.once('close', () => {
    ended = true;
    wake?.();
  });
  // A response that is cut off closes without an end, which readline does not notice.
  response.once('close', () => lines.close());
  const next: WatchStream['next'] = async (timeoutMillis = 10_000) => {
    const deadline = performance.now() + timeoutMillis;
    while (waiting.length === 0 && !ended) {
      const left = deadline - performance.now();
      if (left <= 0) throw new Error(`no watch event within ${timeoutMillis} ms`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        wake = () => {
          clearTimeout(timer);
          wake = undefined;
          resolve();
        };
      });
    }
    return waiting.shift();
  };
  return {
    status: response.statusCode!,
    headers: response.headers,
    next,
    close: () => response.destroy(),
    async *[Symbol.asyncIterator]() {
      try {
        for (;;) {
          const event = await next(2 ** 31 - 1);
          if (event === undefined) return;
          yield event;
        }
      } finally {
        response.destroy();
      }
    },
  };
}
