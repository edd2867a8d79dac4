import type {IncomingHttpHeaders, IncomingMessage} from 'node:http';
import type {Agent} from 'node:https';
import {WebhookError} from '../errors/webhook-error.js';
import {answerMemory, freeBytes} from './answer-memory.js';
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
 * Sends a request and returns what is read of the whole response.
 *
 * @param read memory is held for the response until it returns; a large one has a turn of the event loop of its own
 * @throws WebhookError (`Unreachable`, `Untrusted`, `BadAnswer`, `Misconfigured`); what `read` throws; the signal's reason if it is aborted
 */
export async function exchange<T>(call: HttpsRequest, read: (response: HttpsResponse) => T): Promise<T> {
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
  let release: (() => void) | undefined;
  try {
    const {statusCode = 0, headers: answered} = head;
    const chunks = await receive(head, call, async (most) => (release = await answerMemory.take(most, signal)));
    if (release) await answerMemory.ownTurn();
    return read({statusCode, headers: answered, body: Buffer.concat(chunks)});
  } finally {
    release?.();
  }
}

/** @param takeRoom called once more is to be read than there is memory for in any case, with the largest number of bytes that may come */
async function receive(response: IncomingMessage, call: HttpsRequest, takeRoom: (most: number) => Promise<unknown>): Promise<Buffer[]> {
  const announced = Number(response.headers['content-length'] ?? 0);
  const tooLarge = () => new WebhookError('BadAnswer', `the answer is larger than ${call.maximumBytes} bytes`);
  const chunks: Buffer[] = [];
  let bytes = 0;
  let hasRoom = false;
  try {
    if (announced > call.maximumBytes) throw tooLarge();
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > call.maximumBytes) throw tooLarge();
      if (bytes > freeBytes && !hasRoom) {
        await takeRoom(announced || call.maximumBytes);
        hasRoom = true;
      }
      chunks.push(chunk);
    }
  } catch (error) {
    response.destroy();
    if (WebhookError.is(error)) throw error;
    call.signal.throwIfAborted();
    throw connectionFailure(error as NodeJS.ErrnoException, call);
  }
  return chunks;
}
