import type {IncomingHttpHeaders, IncomingMessage} from 'node:http';
import {request, type Agent, type RequestOptions} from 'node:https';
import {WebhookError} from '../errors/webhook-error.js';
import {connectionFailure} from './connection-failure.js';

/** A single request. */
export interface HttpsRequest {
  readonly agent: Agent;
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** Without it, the request is a POST if it has a body, else a GET. */
  readonly method?: 'DELETE';
  /** JSON. */
  readonly body?: Buffer;
  /** The only status of a valid response; any of 200 to 299 if absent. */
  readonly statusCode?: number | undefined;
  /** Largest response body that is accepted. */
  readonly maximumBytes: number;
  /** Cancels the exchange, which then rejects with the signal's reason. */
  readonly signal: AbortSignal;
}

export interface HttpsResponse {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Maximum number of 1xx responses before the final one; a service could send them endlessly. */
const maximumInterimAnswers = 5;

/**
 * Sends a request and returns the whole response.
 *
 * @throws WebhookError (`Unreachable`, `Untrusted`, `BadAnswer`, `Misconfigured`); the signal's reason if it is aborted
 */
export function exchange(call: HttpsRequest): Promise<HttpsResponse> {
  const {agent, host, port, path, headers, body, signal} = call;
  const options: RequestOptions = {
    agent,
    host,
    port,
    path,
    method: call.method ?? (body ? 'POST' : 'GET'),
    headers: {
      accept: 'application/json',
      ...(body ? {'content-type': 'application/json', 'content-length': body.length} : {}),
      ...headers,
    },
  };
  return new Promise((resolve, reject) => {
    const send = () => {
      const outgoing = request(options);
      const giveUp = () => outgoing.destroy(signal.reason as Error);
      signal.addEventListener('abort', giveUp, {once: true});
      outgoing.on('close', () => signal.removeEventListener('abort', giveUp));
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        if (signal.aborted) reject(signal.reason as Error);
        // The service may have closed the idle connection just as it was reused. On a new connection nothing is sent twice.
        else if (outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')) send();
        else reject(connectionFailure(error, call));
      });
      let interim = 0;
      outgoing.on('information', () => {
        if (++interim <= maximumInterimAnswers) return;
        reject(new WebhookError('BadAnswer', `there were more than ${maximumInterimAnswers} interim answers`));
        outgoing.destroy();
      });
      outgoing.on('response', (response) => {
        // From here on, failures are reported by the response's stream.
        outgoing.removeAllListeners('error').on('error', () => undefined);
        readBody(response, call).then(resolve, reject);
      });
      outgoing.end(body);
    };
    try {
      signal.throwIfAborted();
      send();
    } catch (error) {
      // An invalid header or path.
      reject(signal.aborted ? error : new WebhookError('Misconfigured', (error as Error).message, {cause: error}));
    }
  });
}

async function readBody(response: IncomingMessage, call: HttpsRequest): Promise<HttpsResponse> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > call.maximumBytes) throw new WebhookError('BadAnswer', `the answer is larger than ${call.maximumBytes} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (WebhookError.is(error)) throw error;
    call.signal.throwIfAborted();
    throw connectionFailure(error as NodeJS.ErrnoException, call);
  }
  return {statusCode: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks)};
}
