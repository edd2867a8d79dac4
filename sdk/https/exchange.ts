import type {IncomingHttpHeaders, IncomingMessage} from 'node:http';
import type {Agent} from 'node:https';
import {WebhookError} from '../errors/webhook-error.js';
import {connectionFailure} from './connection-failure.js';
import {sendRequest} from './send-request.js';

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

/**
 * Sends a request and returns the whole response.
 *
 * @throws WebhookError (`Unreachable`, `Untrusted`, `BadAnswer`, `Misconfigured`); the signal's reason if it is aborted
 */
export async function exchange(call: HttpsRequest): Promise<HttpsResponse> {
  const {agent, host, port, path, method, headers, body, signal} = call;
  const {head} = await sendRequest({
    agent,
    host,
    port,
    path,
    method: method ?? (body ? 'POST' : 'GET'),
    headers: {accept: 'application/json', ...(body ? {'content-type': 'application/json'} : {}), ...headers},
    body,
    repeats: true,
    signal,
  });
  return readBody(head, call);
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
