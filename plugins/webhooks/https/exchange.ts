import type {IncomingMessage} from 'node:http';
import {request, type Agent, type RequestOptions} from 'node:https';
import {WebhookError} from '../../../sdk/index.js';
import {connectionFailure} from './connection-failure.js';

/** Largest body of an answer. */
const maximumBytes = 16 * 1024 * 1024;

/** One request as it goes over the wire. */
export interface WebhookRequest {
  readonly agent: Agent;
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Gives the exchange up; it rejects with the signal's reason. */
  readonly signal: AbortSignal;
}

export interface WebhookResponse {
  readonly statusCode: number;
  readonly body: Buffer;
}

/**
 * Sends a request and answers the whole response.
 *
 * @throws WebhookError (`Unreachable`, `Untrusted`, `BadAnswer`, `Misconfigured`); the signal's reason when it fires
 */
export function exchange(call: WebhookRequest): Promise<WebhookResponse> {
  const {agent, host, port, path, headers, body, signal} = call;
  const options: RequestOptions = {
    agent,
    host,
    port,
    path,
    method: 'POST',
    headers: {'content-type': 'application/json', accept: 'application/json', 'content-length': body.length, ...headers},
  };
  return new Promise((resolve, reject) => {
    const send = () => {
      const outgoing = request(options);
      const giveUp = () => outgoing.destroy(signal.reason as Error);
      signal.addEventListener('abort', giveUp, {once: true});
      outgoing.on('close', () => signal.removeEventListener('abort', giveUp));
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        if (signal.aborted) reject(signal.reason as Error);
        // The service may have closed an idle connection in the moment that it was used again. Each is tried once, then a new one.
        else if (outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')) send();
        else reject(connectionFailure(error, call));
      });
      outgoing.on('response', (response) => {
        // What breaks off from here on is the answer.
        outgoing.removeAllListeners('error').on('error', () => undefined);
        readBody(response, call).then(resolve, reject);
      });
      outgoing.end(body);
    };
    try {
      signal.throwIfAborted();
      send();
    } catch (error) {
      // A header or path that cannot be sent.
      reject(signal.aborted ? error : new WebhookError('Misconfigured', (error as Error).message, {cause: error}));
    }
  });
}

async function readBody(response: IncomingMessage, call: WebhookRequest): Promise<WebhookResponse> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maximumBytes) throw new WebhookError('BadAnswer', `the answer is larger than ${maximumBytes} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (WebhookError.is(error)) throw error;
    call.signal.throwIfAborted();
    throw connectionFailure(error as NodeJS.ErrnoException, call);
  }
  return {statusCode: response.statusCode ?? 0, body: Buffer.concat(chunks)};
}
