import type {IncomingMessage} from 'node:http';
import type {Duplex} from 'node:stream';
import {pipeline} from 'node:stream/promises';
import {badRequest, internalError, StatusError} from '../../../sdk/index.js';
import type {Backend} from './backend.js';
import {answerHeaders, hasBody} from './forwarded-headers.js';
import {openRequest, type ForwardedRequest} from './open-request.js';
import {isRefused, redirectRefused, unreachable} from './reverse-proxy.js';

/**
 * Hands a connection on to another server that is to change its protocol: the server's answer and, if it agrees, all that follows go through
 * unread. Resolves when both sides have ended.
 *
 * @throws StatusError 400 for a request with a body, 503 when the server cannot be reached, 502 for a redirect that is not allowed
 */
export async function forwardUpgrade(request: ForwardedRequest, client: Duplex, head: Buffer, backend: Backend): Promise<void> {
  if (hasBody(request.incoming)) throw badRequest('a request for an upgrade has no body');
  const answer = await open(request, backend);
  if (!answer.socket) {
    if (isRefused(answer.head, backend)) {
      answer.head.destroy();
      throw redirectRefused();
    }
    client.write(answerHead(answer.head, {connection: 'close'}), 'latin1');
    return pipeline(answer.head, client).catch(() => void client.destroy());
  }
  const {socket: server} = answer;
  client.write(answerHead(answer.head, {connection: 'Upgrade', upgrade: answer.head.headers.upgrade ?? ''}), 'latin1');
  if (answer.rest.length > 0) client.write(answer.rest);
  if (head.length > 0) server.write(head);
  await new Promise<void>((resolve) => {
    const end = () => {
      client.destroy();
      server.destroy();
      resolve();
    };
    // One side's end or failure is the other's: half of a tunnel is of no use.
    for (const side of [client, server]) side.on('error', end).on('close', end);
    request.signal.addEventListener('abort', end, {once: true});
    client.pipe(server);
    server.pipe(client);
    if (client.destroyed || server.destroyed || request.signal.aborted) end();
  });
}

/** Tells a client whose connection was taken over what went wrong, as it would have been told otherwise. */
export function refuseUpgrade(client: Duplex, error: unknown): void {
  const status = (StatusError.is(error) ? error : internalError('the connection could not be made', {cause: error})).toStatus();
  const body = JSON.stringify(status);
  client.end(
    `HTTP/1.1 ${status.code} ${status.reason ?? 'Error'}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** What a server answers: with the connection and what has come on it, where it agrees to change the protocol. */
interface Answer {
  readonly head: IncomingMessage;
  readonly socket?: Duplex;
  readonly rest: Buffer;
}

function open(request: ForwardedRequest, backend: Backend): Promise<Answer> {
  return new Promise((resolve, reject) => {
    try {
      const outgoing = openRequest(request, backend, true);
      outgoing.on('upgrade', (head, socket, rest) => resolve({head, socket, rest}));
      outgoing.on('response', (head) => resolve({head, rest: Buffer.alloc(0)}));
      outgoing.on('error', (error) => reject(unreachable(error)));
      outgoing.end();
      // Who refuses may take what comes next for data of the other protocol: the connection is for no further request.
      outgoing.shouldKeepAlive = false;
    } catch (error) {
      reject(unreachable(error as Error));
    }
  });
}

function answerHead(answer: IncomingMessage, connection: Record<string, string>): string {
  const {'transfer-encoding': _, ...headers} = answerHeaders(answer);
  const lines = Object.entries({...headers, ...connection}).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((text) => `${name}: ${text}`),
  );
  return `HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}\r\n${lines.join('\r\n')}\r\n\r\n`;
}
